import { expect } from '@playwright/test';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

// Reading the canvas back makes the browser log a hint.
test.use({ provoked: /willReadFrequently/ });

const sizes = [[360, 740], [1440, 900], [3840, 2160]] as const;
const screens = {
  price: '/price/PBTCUCZ50',
  'price-table': '/price/PBTCUCZ50?view=table&range=1M',
  'price-compare': '/price/PBTCUCZ50?vs=PETHUIZ50&range=All',
  volume: '/volume?product=PBTCUCZ50',
  'volume-stacked': '/volume?series=BUS&as=stacked&range=All',
} as const;

for (const [name, address] of Object.entries(screens)) {
  test(`${name} fits the window in every look, and axe finds no violation`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(address);
    await inEachLook(page, sizes, async (look) => {
      await expect(page.locator('[role=application] canvas, tbody tr').first()).toBeVisible();
      await takeShot(page, `${name}-${look.colorScheme}-${String(look.width)}`);
      await expectToFit(page, look);
      await expectAccessible(page, look);
    });
  });
}

for (const name of ['price', 'volume'] as const) {
  test.describe(`${name} at 1440 px`, () => {
    test.use({ viewport: { width: 1440, height: 900 } });

    test('the dates of a custom range fit into the toolbar and move nothing below it', async ({ page }) => {
      await page.goto(screens[name]);
      await expect(page.getByRole('application').locator('canvas').first()).toBeVisible();
      // Figures that load later may need another line.
      const bar = page.getByRole('heading', { level: 1 }).locator('..');
      const before = await bar.boundingBox();
      await page.getByRole('radio', { name: 'Custom' }).check();
      await expect(page.getByLabel('From', { exact: true })).toBeVisible();
      expect(await bar.boundingBox()).toEqual(before);
    });
  });
}

test('the chart takes the colours of a changed theme', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/price/PBTCUCZ50');
  const canvas = page.locator('[role=application] canvas').first();
  await expect(canvas).toBeVisible();
  const corner = (): Promise<readonly number[]> =>
    canvas.evaluate((element) => [...((element as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3));
  await expect.poll(corner).toEqual([246, 247, 249]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(corner).toEqual([14, 17, 23]);
});

test('a chart that is first drawn while its data are stale has the colours of its legend', async ({ page }) => {
  let isStale = true;
  await page.route('**/api/web/charts/price/**', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), ...(isStale && { 'cache-status': 'perpdesk; hit; ttl=-90; detail=venue-unreachable' }) } });
  });
  await page.goto('/price/PBTCUCZ50?range=3M');
  const chart = page.getByRole('application');
  await expect(page.locator('[data-stale=true]').filter({ has: chart })).toBeVisible();
  await expect(chart.locator('canvas').first()).toBeVisible();
  isStale = false;
  await expect(page.locator('[data-stale=true]').filter({ has: chart })).toHaveCount(0, { timeout: 60_000 });
  await expect.poll(() => chart.evaluate(countAccentPixels)).toBeGreaterThan(100);
});

/** Pixels in the colour in which the legend of the chart has the settlement. */
function countAccentPixels(chart: Element): number {
  const probe = document.createElement('span');
  probe.style.color = 'var(--accent)';
  chart.append(probe);
  const wanted = getComputedStyle(probe).color.match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
  probe.remove();
  let count = 0;
  for (const canvas of chart.querySelectorAll('canvas')) {
    const { data = new Uint8ClampedArray() } = canvas.width === 0 ? {} : (canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {});
    for (let at = 0; at < data.length; at += 4) if (wanted.every((part, index) => data[at + index] === part) && data[at + 3] === 255) count += 1;
  }
  return count;
}
