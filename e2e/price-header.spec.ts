import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { test } from './watched-page.ts';

const header = (page: Page): Locator => page.getByRole('region', { name: 'PBTCUCZ50 current figures' });
const factOf = (page: Page, name: string): Locator => header(page).locator('dl > div').filter({ has: page.getByText(new RegExp(`^${name}`)) });

const NAMES = [/^Last USD/, /^Chg vs. settle USD \/ %/, /^Settlement USD/, /^Settlement change USD \/ %/, /^24 h volume contracts \/ USD/, /^Open interest contracts \/ USD/, /^Last funding % per 8 h/, /^Predicted rate % per 8 h/, /^Index at last funding USD/, /^Mark at last funding USD/, /^Premium at last funding bp/, /^Next funding in h:m:s/];

test('all figures of a perpetual fit two lines on a wide window; on a phone the main ones fit one, and the others follow on request', async ({ page }) => {
  const facts = header(page).locator('dt');
  const topsAt = async (width: number): Promise<readonly number[]> => {
    await page.setViewportSize({ width, height: 900 });
    return facts.evaluateAll((all) => [...new Set(all.filter((each) => each.checkVisibility()).map((each) => Math.round(each.getBoundingClientRect().top)))]);
  };
  await page.goto('/price/PBTCUCZ50');
  await expect(facts).toHaveText(NAMES);
  await expect.poll(() => topsAt(1_440)).toHaveLength(2);
  await expect.poll(() => topsAt(360)).toHaveLength(1);
  await page.getByRole('button', { name: 'All 12 figures' }).press('Enter');
  await expect(page).toHaveURL(/figures=all/);
  await expect(page.getByRole('button', { name: 'Fewer figures' })).toHaveAttribute('aria-expanded', 'true');
  await expect.poll(() => topsAt(360)).toHaveLength(6);
  await expectNoViolation(page);
});

test('the last funding on Price is that on Funding: its rate, index, mark and premium', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50');
  await expect(header(page).locator('dt')).toHaveText(NAMES);
  const names = [['Last funding', 'Settled rate'], ['Index at last funding', 'Index at last funding'], ['Mark at last funding', 'Mark at last funding'], ['Premium at last funding', 'Premium']] as const;
  const figures = await Promise.all(names.map(([name]) => factOf(page, name).getByRole('button').innerText()));
  await page.goto('/funding/BTCUC');
  for (const [index, [, name]] of names.entries()) await expect(page.getByTestId('last-settled').locator('div').filter({ has: page.getByText(new RegExp(`^${name}`)) }).getByRole('button')).toHaveText(figures[index] ?? '');
});

test('each figure of the last funding has its funding time, and the countdown the next one', async ({ page }) => {
  await page.goto('/price/PBTCUCZ50');
  await expect(header(page).locator('dt')).toHaveText(NAMES);
  for (const name of ['Index at last funding', 'Mark at last funding', 'Premium at last funding']) await expect(factOf(page, name)).toContainText(/ \d{4}-\d\d-\d\d (00|08|16):00 UTC$/);
  await expect(factOf(page, 'Last funding')).toContainText(/[+−]?\d\.\d{4} 8 h to \d{4}-\d\d-\d\d (00|08|16):00 UTC$/);
  await expect(factOf(page, 'Predicted rate')).toContainText(/[+−]?\d\.\d{4} as of \d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC$/);
  await expect(factOf(page, 'Next funding in')).toContainText(/(\d:\d\d:\d\d|settling) \d{4}-\d\d-\d\d (00|08|16):00 UTC$/);
  await factOf(page, 'Last funding').getByRole('button').press('i');
  await expect(page.getByRole('dialog')).toContainText(/(longs|shorts) pay (longs|shorts)|no payment/);
});

test('funding costs the requests of Funding, and none of a product that is no perpetual', async ({ page, request }) => {
  const read: string[] = [];
  page.on('request', (sent) => {
    if (sent.url().includes('/funding-rates/')) read.push(new URL(sent.url()).pathname.replace(/.*\/api/, ''));
  });
  await page.goto('/price/PBTCUCZ50');
  await expect(header(page).locator('dt')).toHaveText(NAMES);
  await expect.poll(() => read.toSorted()).toEqual(['/funding-rates/', '/funding-rates/estimated/BTCUC']);
  const { products } = (await (await request.get('/api/desk/products')).json()) as { readonly products: readonly { readonly type: string; readonly symbol: string; readonly product_status: string }[] };
  const future = products.find(({ type, product_status: status }) => type === 'future' && status === 'active')?.symbol ?? '';
  read.length = 0;
  await page.goto(`/price/${future}`);
  await expect(page.getByRole('application')).toBeVisible();
  expect(read).toEqual([]);
});

for (const width of [390, 360]) {
  test(`at ${String(width)} px the chart begins in the first half of the screen`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/price/PBTCUCZ50');
    const chart = page.getByRole('application', { name: /PBTCUCZ50/ });
    await expect(chart.locator('canvas').first()).toBeVisible();
    await expect(header(page).locator('dt')).toHaveText(NAMES);
    expect((await chart.boundingBox())?.y).toBeLessThan(422);
    await expectNoViolation(page);
  });
}
