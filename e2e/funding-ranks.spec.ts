import { expect } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { cellOf, rowsOf, tableOf, toNumber, type Funding } from './funding-page.ts';
import { UNREACHABLE } from './problem-response.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

const ESTIMATED = /\/funding-rates\/estimated\//;
const DAY_MS = 86_400_000;

async function openFunding(page: Page, query = ''): Promise<Funding> {
  const [response] = await Promise.all([page.waitForResponse(/\/api\/desk\/funding\?/), page.goto(`/funding${query}`)]);
  await expect(rowsOf(page).first()).toBeVisible();
  return (await response.json()) as Funding;
}

async function readColumn(page: Page, column: string): Promise<readonly number[]> {
  return (await rowsOf(page).locator(`[data-column="${column}"]`).allInnerTexts()).filter((text) => text !== '–').map(toNumber);
}

/** Three perpetuals leave the interest rate: one falls, two rise; all others rest at it. */
async function moveThree(page: Page): Promise<readonly [fallen: string, risen: string, most: string]> {
  const symbols: string[] = [];
  await page.route(/\/api\/desk\/funding\?/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Funding;
    const rates = [-0.0009, 0.0003, 0.0005];
    symbols.splice(0, 3, ...body.perpetuals.slice(0, 3).map(({ base_symbol }) => base_symbol));
    const perpetuals = body.perpetuals.map((perpetual, at) => ({ ...perpetual, prints: perpetual.prints.map((print, place) => (place === 0 ? { ...print, funding_rate: rates[at] ?? print.interest_rate } : print)) }));
    await route.fulfill({ response, json: { ...body, perpetuals } });
  });
  await openFunding(page, '?rank=excess');
  const [fallen = '', risen = '', most = ''] = symbols;
  return [fallen, risen, most];
}

function linesOf(page: Page): Locator {
  return page.getByRole('region', { name: /^Funding rates/ }).getByTestId('legend').locator('dt').getByRole('button');
}

test('ranked by the rate beyond the interest rate, today’s moves come first, whoever pays, and what ranks them is shown', async ({ page }) => {
  const [fallen, risen, most] = await moveThree(page);
  for (const [at, symbol] of [fallen, most, risen].entries()) await expect(rowsOf(page).nth(at).getByRole('link')).toHaveText(symbol);
  await expect(cellOf(page, fallen, 'excess')).toHaveText('−10.00');
  await expect(cellOf(page, most, 'excess')).toHaveText('+4.00');
  await page.getByRole('radio', { name: 'Last rate' }).check();
  await expect(tableOf(page).getByRole('columnheader', { name: /^Rate − interest/ })).toHaveCount(0);
});

test('without a selection the chart draws both ends of the ranking, and one line of those that are tied', async ({ page }) => {
  const [fallen, risen, most] = await moveThree(page);
  await page.getByRole('radio', { name: 'Last rate' }).check();
  await expect(linesOf(page)).toHaveCount(4);
  for (const symbol of [fallen, risen, most]) await expect(linesOf(page).filter({ hasText: symbol })).toHaveCount(1);
  const { length } = await rowsOf(page).all();
  await expect(page.getByText(`4 of ${String(length)} charted: one of each rank`)).toBeVisible();
  await page.getByRole('checkbox', { name: `Chart ${risen}` }).click();
  await expect(page.getByText(`1 of ${String(length)} charted`, { exact: true })).toBeVisible();
});

test('lines keep the colour in which they were selected, and their order', async ({ page }) => {
  const { perpetuals } = await openFunding(page);
  const [first = '', second = '', third = ''] = perpetuals.map(({ base_symbol }) => base_symbol).toReversed();
  for (const symbol of [first, second]) await page.getByRole('checkbox', { name: `Chart ${symbol}` }).click();
  const looks = (): Promise<readonly string[]> => linesOf(page).evaluateAll((lines) => lines.map((line) => line.innerHTML.replaceAll(/[+−]?\d\.\d+/g, '')));
  await expect(linesOf(page)).toHaveCount(2);
  const before = await looks();
  await page.getByRole('checkbox', { name: `Chart ${third}` }).click();
  await expect(linesOf(page)).toHaveCount(3);
  await expect.poll(async () => (await looks()).slice(0, 2)).toEqual(before);
});

for (const [name, column] of [['Percentile', 'percentile'], ['Predicted rate', 'estimate-form']] as const) {
  test(`ranked by ${name.toLowerCase()}, the highest comes first`, async ({ page }) => {
    await openFunding(page);
    await expect(rowsOf(page).locator('[data-column="estimate"]').filter({ hasText: '…' })).toHaveCount(0);
    await page.getByRole('group', { name: 'Rank by' }).getByRole('radio', { name }).check();
    await expect.poll(async () => {
      const values = await readColumn(page, column);
      return values.length > 5 && values.every((value, at) => value <= (values[at - 1] ?? Infinity));
    }).toBe(true);
  });
}

test('the predicted rate has an APR of its own, and none of the repeated columns per 8 h', async ({ page }) => {
  const { perpetuals } = await openFunding(page);
  const symbol = perpetuals[0]?.base_symbol ?? '';
  await expect(cellOf(page, symbol, 'estimate')).toHaveText(/\d/);
  const read = async (column: string): Promise<number> => toNumber((await cellOf(page, symbol, column).innerText()).replace(/^.* · /, ''));
  // A newer predicted rate may arrive between two reads.
  await expect.poll(async () => Math.abs((await read('estimate-form')) - (await read('estimate')) * 1_095)).toBeLessThan(0.5);
  await page.getByRole('radio', { name: 'per 8 h', exact: true }).check();
  for (const column of ['form', 'estimate-form']) await expect(cellOf(page, symbol, column)).toHaveCount(0);
  await page.getByRole('radio', { name: 'per day' }).check();
  await expect(tableOf(page).getByRole('columnheader', { name: /^Predicted daily rate/ })).toBeVisible();
});

test('a column that an address sorts by is there', async ({ page }) => {
  await openFunding(page, '?sort=-sum-30d');
  await expect(tableOf(page).getByRole('columnheader', { name: /^30 d sum/ })).toHaveAttribute('aria-sort', 'descending');
});

test('one year is a range like any other', async ({ page, request }) => {
  await openFunding(page);
  await page.getByRole('group', { name: 'Range', exact: true }).getByRole('radio', { name: '1y' }).check();
  await expect(page).toHaveURL(/range=1y/);
  const since = new Date(Date.now() - 367 * DAY_MS).toISOString().slice(0, 10);
  const { perpetuals } = (await (await request.get(`/api/desk/funding?begin_time=${since}T00:00:00Z`)).json()) as Funding;
  const newest = Math.max(...perpetuals.flatMap(({ prints }) => prints.slice(0, 1).map(({ interval_end }) => Date.parse(interval_end))));
  const { base_symbol: symbol = '', prints = [] } = perpetuals.find(({ prints: all }) => all.length > 1_095) ?? {};
  const rates = prints.filter(({ interval_end }) => Date.parse(interval_end) > newest - 365 * DAY_MS).map(({ funding_rate }) => funding_rate);
  const apr = (rates.reduce((sum, rate) => sum + rate, 0) / rates.length) * 1_095 * 100;
  await expect(cellOf(page, symbol, 'rate-1y')).toHaveText(`${apr < 0 ? '−' : '+'}${Math.abs(apr).toFixed(2)}`);
  await expect(cellOf(page, symbol, 'coverage')).toHaveText('1,095 of 1,095');
  await page.goto(`/funding/${symbol}?range=1y`);
  await expect(page.getByRole('table', { name: 'Realised funding' }).getByRole('row').filter({ hasText: '1 y' })).toContainText(`${apr < 0 ? '−' : '+'}${Math.abs(apr).toFixed(2)}`);
});

test('a range in an address that cannot be shown is said to be ignored, until another is chosen', async ({ page }) => {
  await openFunding(page, '?from=2026-11-20&to=2026-11-10');
  const note = page.getByRole('note').filter({ hasText: 'Range of the address ignored.' });
  await expect(note).toHaveText('Range of the address ignored. Its end, 2026-11-10, is before its start, 2026-11-20.');
  await expect(page.getByRole('region', { name: 'Funding rates, last 7 d' })).toBeVisible();
  await page.getByRole('group', { name: 'Range', exact: true }).getByRole('radio', { name: '30d' }).check();
  await expect(note).toHaveCount(0);
});

for (const heat of ['90', '270', '540']) {
  test(`all ${heat} intervals of the heatmap are in view at 1440 px`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await openFunding(page, `?heat=${heat}`);
    const map = page.getByRole('grid', { name: 'Funding heatmap' });
    await expect(map).toHaveAttribute('aria-colcount', String(Number(heat) + 1));
    await expect.poll(() => map.locator('xpath=ancestor::div[2]').evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(1);
    await map.getByRole('gridcell').focus();
    await page.keyboard.press('Home');
    await expect(map.getByRole('gridcell')).toBeInViewport({ ratio: 0.9 });
  });
}

test('the pair has one sign: spread and carry are positive where it receives, and the predicted spread follows', async ({ page }) => {
  const { perpetuals } = await openFunding(page);
  const [long = '', short = ''] = perpetuals.map(({ base_symbol }) => base_symbol);
  await page.getByLabel('Long', { exact: true }).selectOption(long);
  await page.getByLabel('Short', { exact: true }).selectOption(short);
  const pair = page.getByRole('region', { name: /^Funding spread/ });
  /** Exact, in units of 1e-10. */
  const last = (symbol: string): bigint => BigInt(Math.round((perpetuals.find(({ base_symbol }) => base_symbol === symbol)?.prints[0]?.funding_rate ?? NaN) * 1e10));
  const received = last(short) - last(long);
  // Half away from zero, to four digits of a percentage; what rounds to zero has no sign.
  const units = ((received < 0n ? -received : received) + 5_000n) / 10_000n;
  const sign = units === 0n ? '' : received < 0n ? '−' : '\\+';
  await expect(pair.getByTestId('legend')).toContainText(new RegExp(`Spread received\\s*${sign}${(Number(units) / 10_000).toFixed(4)}`));
  const predicted = async (symbol: string): Promise<number> => toNumber((await cellOf(page, symbol, 'estimate').innerText()).replace(/^.* · /, ''));
  await expect(pair.getByTestId('predicted-spread')).toContainText('not settled');
  const shown = async (): Promise<number> => toNumber(await pair.getByTestId('predicted-spread').getByRole('button').first().innerText());
  // A newer predicted rate may arrive between two reads.
  await expect.poll(async () => Math.abs((await shown()) - ((await predicted(short)) - (await predicted(long))))).toBeLessThan(0.0005);
});

test.describe('when predicted rates cannot be read anew', () => {
  test.use({ provoked: /status of 502/ });

  test('they show their age, and are stale only once they are old', async ({ page }) => {
    const stale = { 'cache-status': 'perpdesk; hit; ttl=-1; detail=venue-unreachable' };
    let ageSeconds = 15;
    await page.clock.install();
    await page.route(ESTIMATED, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), ...stale, age: String(ageSeconds) } });
    });
    const { perpetuals } = await openFunding(page);
    const cell = cellOf(page, perpetuals[0]?.base_symbol ?? '', 'estimate');
    await page.clock.runFor(3_000);
    await expect(cell).toHaveText(/^[+−]?\d\.\d{4}$/);
    await expect(cell).not.toHaveAttribute('data-tone', 'old');
    await expect(page.getByText('Predicted rates stale.')).toHaveCount(0);
    ageSeconds = 400;
    await page.reload();
    await page.clock.runFor(3_000);
    await expect(cell).toHaveText(/^6 min · [+−]?\d\.\d{4}$/);
    await expect(cell).toHaveAttribute('data-tone', 'old');
    await expect(page.getByText('Predicted rates stale.')).toBeVisible();
  });

  test('those recorded in this interval are still charted', async ({ page }) => {
    // A predicted rate is recorded once it has been read.
    const recorded = [page.waitForResponse(/\/api\/desk\/estimates\?/), page.waitForResponse(ESTIMATED)];
    await page.goto('/funding/BTCUC');
    await Promise.all(recorded);
    await page.route(ESTIMATED, (route) => route.fulfill(UNREACHABLE));
    await page.reload();
    await expect(page.getByText('No predicted rate: ')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Predicted rate in this interval' }).getByRole('application', { name: /^BTCUC predicted rate in the interval to / })).toBeVisible();
  });
});
