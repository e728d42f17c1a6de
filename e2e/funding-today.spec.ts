import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';
import { UNREACHABLE } from './problem-response.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

const YEAR_MS = 365 * 86_400_000;
const ESTIMATES = '**/api/desk/estimates?*';

interface Print {
  readonly funding_rate: number;
  readonly interval_end: string;
}

interface Prediction {
  readonly interval_end: string;
  readonly read_at: string;
}

/** The percentile of the latest settled rate, from the prints alone. */
async function computePercentile(request: APIRequestContext): Promise<string> {
  const response = await request.get('/api/desk/funding?base_symbol=BTCUC&begin_time=2020-01-01T00:00:00Z');
  const { perpetuals: [perpetual] } = (await response.json()) as { readonly perpetuals: readonly { readonly prints: readonly Print[] }[] };
  const prints = perpetual?.prints ?? [];
  const [newest] = prints;
  if (newest === undefined) throw new Error('BTCUC has no settled rate');
  const since = Date.parse(newest.interval_end) - YEAR_MS;
  const rates = prints.filter(({ interval_end }) => Date.parse(interval_end) > since).map(({ funding_rate }) => funding_rate);
  expect(rates.length).toBeGreaterThan(1_000);
  const [below, equal] = [rates.filter((rate) => rate < newest.funding_rate), rates.filter((rate) => rate === newest.funding_rate)];
  return (((below.length + equal.length / 2) / rates.length) * 100).toFixed(1);
}

test('the percentile of the latest settled rate in its year is that of the raw rates, on both screens, and says how it was computed', async ({ page, request }) => {
  const expected = await computePercentile(request);
  await page.goto('/funding/BTCUC');
  const fact = page.getByTestId('last-settled').locator('div', { hasText: 'Percentile' });
  await expect(fact.getByRole('button')).toHaveText(expected);
  await fact.getByRole('button').focus();
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog', { name: /^Percentile/ })).toContainText(/lower \+ [\d,]+ equal ÷ 2\) ÷ 1,\d{3} settled rates of the 365 days/);
  await page.goto('/funding?sort=-percentile');
  const grid = page.getByRole('grid', { name: 'Funding of all perpetuals' });
  await expect(grid).toBeVisible({ timeout: 15_000 });
  const row = grid.getByRole('row').filter({ has: page.getByRole('link', { name: 'BTCUC', exact: true }) });
  await expect(row.locator('[data-column="percentile"]')).toHaveText(expected);
});

function panelOf(page: Page) {
  return page.getByRole('region', { name: 'Predicted rate in this interval' });
}

test('the predicted rates of this interval are charted as they were recorded, and listed in the table', async ({ page }) => {
  let recorded: readonly Prediction[] = [];
  await page.route(ESTIMATES, async (route) => {
    const response = await route.fetch();
    recorded = ((await response.json()) as { readonly estimates: readonly Prediction[] }).estimates;
    await route.fulfill({ response });
  });
  await page.goto('/funding/BTCUC');
  await expect(panelOf(page).getByRole('application', { name: /^BTCUC predicted rate in the interval to / })).toBeVisible();
  await panelOf(page).getByRole('button', { name: 'Table', exact: true }).click();
  await expect(page).toHaveURL(/predicted=table/);
  const rows = panelOf(page).getByRole('table').getByRole('row').filter({ has: page.getByRole('cell') });
  // The latest interval with a predicted rate is the current one.
  const ofInterval = (): readonly Prediction[] => recorded.filter(({ interval_end }) => interval_end === recorded[0]?.interval_end);
  // Another one may be recorded meanwhile.
  await expect.poll(async () => (await rows.count()) - ofInterval().length).toBe(0);
  expect(await rows.count()).toBeGreaterThan(0);
  await expect(rows.first()).toContainText(/[+−]?\d\.\d{4}/);
});

test('without a recorded predicted rate the panel says so', async ({ page }) => {
  await page.route(ESTIMATES, (route) => route.fulfill({ json: { estimates: [] } }));
  await page.goto('/funding/BTCUC');
  await expect(panelOf(page)).toContainText('No predicted rate recorded in this interval yet');
});

test.describe('when predicted rates cannot be read', () => {
  test.use({ provoked: /status of 502/ });

  test('their panel says so, and offers to try again', async ({ page }) => {
    await page.route(ESTIMATES, (route) => route.fulfill(UNREACHABLE));
    await page.goto('/funding/BTCUC');
    await expect(panelOf(page).getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});
