import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { rowsOf, type Funding } from './funding-page.ts';
import { test } from './watched-page.ts';

async function openFunding(page: Page, query = ''): Promise<Funding> {
  const [response] = await Promise.all([page.waitForResponse(/\/api\/desk\/funding\?/), page.goto(`/funding${query}`)]);
  await expect(rowsOf(page).first()).toBeVisible();
  return (await response.json()) as Funding;
}

/** How many rates each perpetual settled in the 90 days before the newest funding time. */
function countRates({ perpetuals }: Funding): ReadonlyMap<string, number> {
  const end = Math.max(...perpetuals.flatMap(({ prints }) => prints.slice(0, 1).map(({ interval_end: at }) => Date.parse(at))));
  return new Map(perpetuals.map(({ base_symbol: symbol, prints }) => [symbol, prints.filter(({ interval_end: at }) => Date.parse(at) > end - 90 * 86_400_000).length]));
}

test('the default spread receives, over all intervals, and changes with the window and the selection', async ({ page }) => {
  const funding = await openFunding(page, '?range=90d');
  const summary = page.getByText(/^Long \w+, short \w+: carry \+\d+\.\d{4} % of one leg’s notional over 90 d/).first();
  await expect(summary).toContainText('270 of 270 intervals in common');
  const counts = countRates(funding);
  for (const leg of ['Long', 'Short']) expect(counts.get(await page.getByLabel(leg, { exact: true }).inputValue())).toBe(270);
  await expect(page.getByText('Default: long the lowest, short the highest realised rate at equal coverage')).toBeVisible();
  const [first = '', second = ''] = [...counts].filter(([, count]) => count === 270).map(([symbol]) => symbol);
  for (const symbol of [first, second]) await page.getByRole('checkbox', { name: `Chart ${symbol}` }).click();
  await expect(page.getByText(/^Long \w+, short \w+: carry \+/).first()).toContainText(new RegExp(`^Long (${first}, short ${second}|${second}, short ${first}):`));
});

test('one selected perpetual has no default spread, and a chosen leg gets the best other one', async ({ page }) => {
  const { perpetuals } = await openFunding(page, '?range=90d');
  const short = await page.getByLabel('Short', { exact: true }).inputValue();
  await page.getByLabel('Long', { exact: true }).selectOption(short);
  await expect(page.getByLabel('Short', { exact: true })).not.toHaveValue(short);
  await expect(page.getByText(new RegExp(`^Long ${short}, short \\w+: carry`)).first()).toBeVisible();
  await openFunding(page, `?pick=${perpetuals[0]?.base_symbol ?? ''}`);
  await expect(page.getByText('Choose two different perpetuals')).toBeVisible();
});
