import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { DeskStatus } from '#contract/desk/status.ts';
import { createParser } from '#contract/parse/parse.ts';
import { test } from './own-desk.ts';
import { takeShot } from './take-shot.ts';

test.use({ live: false });

const parser = createParser(DeskStatus, 'endpoints');

async function readStatus(request: APIRequestContext): Promise<DeskStatus> {
  return parser.strict(await (await request.get('/api/desk/status')).text());
}

/** Counts the perpetuals of the directory, because which ones are in sight changes with the market. */
async function countPerpetuals(request: APIRequestContext): Promise<number> {
  const { products } = (await (await request.get('/api/desk/products')).json()) as {
    readonly products: readonly { readonly type?: string; readonly product_status?: string }[];
  };
  return products.filter(
    ({ type, product_status: status }) => type === 'perpetual' && (status ?? 'active') === 'active',
  ).length;
}

function grid(page: Page) {
  return page.getByRole('grid', { name: 'Markets' });
}

test('the first visit costs a handful of reads, and one prefetch for each perpetual', async ({ page, request }) => {
  await expect.poll(async () => (await readStatus(request)).self_test).not.toBeNull();
  const before = await readStatus(request);
  await page.goto('/');
  await expect(grid(page)).toBeVisible();
  const perpetuals = await countPerpetuals(request);
  expect(perpetuals).toBe(17);
  const countOf = (name: string, { endpoints }: DeskStatus): number =>
    endpoints.find(({ endpoint }) => endpoint === name)?.asked ?? 0;
  await expect
    .poll(async () => countOf('fundingEstimated', await readStatus(request)) - countOf('fundingEstimated', before), {
      timeout: 15_000,
    })
    .toBe(perpetuals);
  await expect(grid(page).locator('[role=gridcell][data-column="estimate"]', { hasText: '…' })).toHaveCount(0);
  const after = await readStatus(request);
  const asked = (name: string): number => countOf(name, after) - countOf(name, before);
  expect(asked('fundingEstimated')).toBe(perpetuals);
  for (const name of ['chartPrice', 'trailingStats', 'productData', 'productSpec'])
    expect([name, asked(name)]).toEqual([name, 0]);
  const [spareBefore = 0, spareAfter = 0] = [before, after].map(({ budget }) => budget.by_purpose?.prefetch);
  const spare = spareAfter - spareBefore;
  expect(spare).toBeLessThanOrEqual(perpetuals);
  expect(after.budget.used - before.budget.used - spare).toBeLessThanOrEqual(5);
});

test.describe('while the exchange is down', () => {
  test.use({ provoked: /50[234] \(|request failed|ERR_/ });

  test('the last data stay, dimmed, with age and reason, and recover with the exchange', async ({ page, desk }) => {
    // Figures are refreshed every 20 seconds, and the server reads the exchange again when they are. The page's clock is
    // the real one: faked, it would give up requests that the server answers in time.
    test.setTimeout(150_000);
    await page.goto('/');
    await expect(grid(page)).toBeVisible();
    await expect(grid(page).getByRole('row').nth(1)).toBeVisible();
    // Figures that have not been received by this point are not among the last ones received.
    await expect(grid(page).getByRole('columnheader', { description: 'Loading…' })).toHaveCount(0);
    const rows = (await grid(page).getAttribute('aria-rowcount')) ?? '';
    await desk.killVenue();
    await expect(page.getByText(/stale, .* old/)).toBeVisible({ timeout: 60_000 });
    const outage = page.getByRole('region', { name: 'Outage' });
    await expect(outage).toContainText('The figures shown are the last ones received.');
    await expect(outage.getByRole('button', { name: 'Try again' })).toBeVisible();
    await expect(grid(page)).toHaveAttribute('aria-rowcount', rows);
    await takeShot(page, 'markets-stale-light-1280');
    await desk.reviveVenue();
    await expect(outage).toBeHidden({ timeout: 60_000 });
    await expect(page.getByText(/stale, .* old/)).toBeHidden();
  });
});
