import { expect, type Locator, type Page } from '@playwright/test';
import { type Product, readProducts } from './listed-products.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { setVenueAhead } from './venue-clock.ts';
import { test, withoutStream } from './watched-page.ts';
import { writeDay } from './write-day.ts';

test.use({ live: false });

const STARTING = 15_000;
const HOUR_MS = 3_600_000;

/** A height that fits all rows, because the list draws only those in sight. */
test.use({ viewport: { width: 1280, height: 4_400 } });

/** Returns the next future to expire. */
async function firstFuture(page: Page): Promise<Product & { readonly final_settle_time: string }> {
  const futures = (await readProducts(page)).flatMap((product) =>
    product.type === 'future' && product.product_status === 'active' && product.final_settle_time !== undefined
      ? [{ ...product, final_settle_time: product.final_settle_time }]
      : [],
  );
  const [first] = futures.toSorted((a, b) => Date.parse(a.final_settle_time) - Date.parse(b.final_settle_time));
  if (first === undefined) throw new Error('The exchange lists no future that expires.');
  return first;
}

function grid(page: Page): Locator {
  return page.getByRole('grid', { name: 'Markets' });
}

function rowsOf(page: Page): Locator {
  return grid(page).locator('[role=row]:has([role=gridcell])');
}

function rowOf(page: Page, symbol: string): Locator {
  return grid(page)
    .getByRole('row')
    .filter({ has: page.locator('[data-column="symbol"] a', { hasText: new RegExp(`^${symbol}$`) }) });
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(rowsOf(page).first()).toBeVisible({ timeout: STARTING });
  await expect(grid(page).getByRole('columnheader', { description: 'Loading…' })).toHaveCount(0);
}

test('the time to expiry is the same in the list, on Price and in its specification, whatever the reader’s zone', async ({
  browser,
  page,
  baseURL,
}) => {
  const future = await firstFuture(page);
  const settles = Date.parse(future.final_settle_time);
  const time = `${writeDay(settles, { year: 'numeric', timeZone: 'UTC' })}, ${future.final_settle_time.slice(11, 16)} UTC`;
  for (const timezoneId of ['Pacific/Auckland', 'America/Los_Angeles']) {
    const context = await browser.newContext({ timezoneId, ...(baseURL !== undefined && { baseURL }) });
    await withoutStream(context);
    const other = await context.newPage();
    await setVenueAhead(other, settles - 30.5 * HOUR_MS - Date.now());
    await open(other, `/?q=${future.symbol}&type=future`);
    await expect(rowOf(other, future.symbol).locator('[data-column="daysLeft"]')).toHaveText('30 h');
    await other.goto(`/price/${future.symbol}?spec=open`);
    await expect(other.getByRole('region', { name: `${future.symbol} current figures` })).toContainText(
      `expires tomorrow, ${time}, in 30 h`,
    );
    await expect(
      other.locator('dl > div').filter({ hasText: 'Days to expiry' }).getByRole('button', { name: '30 h' }),
    ).toBeVisible();
    await context.close();
  }
});

test('filters and marks keep to the page in every look, and axe finds no violation', async ({ page }) => {
  const sizes = [
    [360, 900],
    [1280, 900],
  ] as const;
  await page.setViewportSize({ width: 360, height: 900 });
  const future = await firstFuture(page);
  await setVenueAhead(page, Date.parse(future.final_settle_time) - 3.5 * 24 * HOUR_MS - Date.now());
  await open(page, `/?q=${future.symbol.slice(0, 3)}&expires=30d`);
  await inEachLook(page, sizes, async (look) => {
    await expect(rowsOf(page).locator('mark').first()).toBeVisible();
    await takeShot(page, `markets-terms-${look.colorScheme}-${String(look.width)}`);
    await expectToFit(page, look);
    await expectAccessible(page, look);
  });
  await page.getByRole('button', { name: 'Expiry, call / put' }).click();
  await inEachLook(page, sizes, async (look) => {
    await expect(page.getByRole('dialog').getByRole('radio', { name: 'Within 30 days' })).toBeChecked();
    await takeShot(page, `markets-terms-filter-${look.colorScheme}-${String(look.width)}`);
    await expectAccessible(page, look);
  });
});
