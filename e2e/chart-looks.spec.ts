import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

// Reading the canvas back makes the browser log a hint.
test.use({ provoked: /willReadFrequently/ });

const sizes = [
  [360, 740],
  [1440, 900],
  [3840, 2160],
] as const;
const SCREENS = {
  prices: {
    'price': '/price/PBTCUCZ50',
    'price-table': '/price/PBTCUCZ50?view=table&range=1M&figures=all',
    'price-compare': '/price/PBTCUCZ50?vs=PETHUIZ50,PSOLUSZ50&compare=rebased,difference,ratio&range=All',
  },
  curves: { curve: '/curve/BTC' },
  volumes: { 'volume': '/volume/PBTCUCZ50', 'volume-stacked': '/volume?series=BUS&as=stacked&range=All' },
} as const;
/** The colour of the first pixel of a chart, by theme. */
const SURFACES = { light: [246, 247, 249], dark: [14, 17, 23] } as const;

for (const [of, screens] of Object.entries(SCREENS)) {
  test(`charts of ${of} take the colours of each look and fit the window, and axe finds no violation`, async ({
    page,
  }) => {
    for (const [name, address] of Object.entries(screens)) {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto(address);
      await inEachLook(page, sizes, async (look) => {
        await expect(page.locator('[role=application] canvas, tbody tr').first()).toBeVisible();
        if (!address.includes('view=table'))
          await expect.poll(() => cornerOf(page)).toEqual(SURFACES[look.colorScheme]);
        await takeShot(page, `${name}-${look.colorScheme}-${String(look.width)}`);
        await expectToFit(page, look);
        await expectAccessible(page, look);
      });
    }
  });
}

function cornerOf(page: Page): Promise<readonly number[]> {
  return page
    .locator('[role=application] canvas')
    .first()
    .evaluate((element) =>
      [...((element as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3),
    );
}
