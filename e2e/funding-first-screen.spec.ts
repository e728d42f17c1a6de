import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { cellOf, rowsOf, type Funding } from './funding-page.ts';
import { UNREACHABLE } from './problem-response.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

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
  await expect(page.getByText(`Default among all ${String(funding.perpetuals.length)}: long the lowest, short the highest mean settled rate at equal coverage`)).toBeVisible();
  const [first = '', second = ''] = [...counts].filter(([, count]) => count === 270).map(([symbol]) => symbol);
  for (const symbol of [first, second]) await page.getByRole('checkbox', { name: `Chart ${symbol}` }).click();
  await expect(page.getByText(/^Long \w+, short \w+: carry \+/).first()).toContainText(new RegExp(`^Long (${first}, short ${second}|${second}, short ${first}):`));
  await expect(page.getByText('Default among the 2 selected: ')).toBeVisible();
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

const ESTIMATED = /\/funding-rates\/estimated\//;

async function saveTable(page: Page): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Table CSV', exact: true }).click()]);
  return readFile(await file.path(), 'utf8');
}

test('predicted rates all arrive within three seconds, and a file saved before says what it lacks', async ({ page }) => {
  await page.clock.install();
  const requested = new Set<string>();
  const held = Promise.withResolvers<undefined>();
  await page.route(ESTIMATED, async (route) => {
    requested.add(route.request().url());
    await held.promise;
    await route.continue();
  });
  const { perpetuals } = await openFunding(page);
  const symbol = perpetuals[0]?.base_symbol ?? '';
  await expect(cellOf(page, symbol, 'estimate')).toHaveText('…');
  const lines = (await saveTable(page)).trimEnd().split('\r\n');
  expect(lines.slice(1).filter((line) => !line.includes(',Not read yet: predicted rates are read a few at a time.,'))).toEqual([]);
  await page.clock.runFor(3_000);
  await expect.poll(() => requested.size).toBe(perpetuals.length);
  held.resolve(undefined);
  await expect(rowsOf(page).locator('[data-column="estimate"]').filter({ hasText: '…' })).toHaveCount(0);
});

test.describe('where predicted rates cannot be read', () => {
  test.use({ provoked: /status of 502/ });

  test('they are missing, not loading, and cell and file give the reason', async ({ page }) => {
    await page.route(ESTIMATED, (route) => route.fulfill(UNREACHABLE));
    const { perpetuals } = await openFunding(page);
    const cell = cellOf(page, perpetuals[0]?.base_symbol ?? '', 'estimate');
    await expect(cell).toHaveText('–');
    await cell.click();
    await page.keyboard.press('i');
    await expect(page.getByRole('dialog')).toContainText('The connection was refused.');
    expect(await saveTable(page)).toContain('The connection was refused.');
  });
});

test.describe('at 1440 × 900', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('chart, ranks, percentile, predicted rate and the APR of every window are in the first screen', async ({ page }) => {
    await openFunding(page);
    const chart = page.getByRole('application', { name: /^Funding: / });
    await expect(chart.locator('canvas').first()).toBeVisible();
    for (const seen of [chart, rowsOf(page).nth(9).locator('[data-column="rank"]'), page.getByRole('columnheader', { name: /^Percentile/ }), page.getByRole('columnheader', { name: /^Predicted APR/ }), page.getByRole('columnheader', { name: /^30 d APR/ }), page.getByRole('columnheader', { name: /^90 d APR/ })]) await expect(seen).toBeInViewport({ ratio: 1 });
  });
});

test.describe('at 390 × 844', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the chart begins in the first half of the screen', async ({ page }) => {
    await openFunding(page);
    const chart = page.getByRole('application', { name: /^Funding: / });
    await expect(chart.locator('canvas').first()).toBeVisible();
    expect((await chart.boundingBox())?.y).toBeLessThan(422);
  });
});

test('rates are tinted by who pays and how much, beside a sign that says the same', async ({ page }) => {
  const { perpetuals } = await openFunding(page);
  for (const { base_symbol: symbol, prints } of perpetuals) {
    const { funding_rate: rate = 0, interest_rate: interest = 0 } = prints[0] ?? {};
    // Neutral at the interest rate, where most rates are.
    const strength = rate === interest ? 0 : [1, 2.5, 5, 10].filter((least) => Math.abs(rate) >= least / 10_000 && (least < 10 || Math.abs(rate) > 0.001)).length;
    const cell = cellOf(page, symbol, 'settled');
    if (strength === 0) await expect(cell).not.toHaveAttribute('data-tone');
    else await expect(cell).toHaveAttribute('data-tone', `${rate > 0 ? 'longs' : 'shorts'}-${String(strength)}`);
    await expect(cell).toHaveText(rate < 0 ? /^−/ : /^\+|^0/);
  }
});
