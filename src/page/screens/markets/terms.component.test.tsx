import { expect, it } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { atVenueTime } from '#testing/component/change-answers.ts';
import { open, type Change } from '#testing/component/mount.tsx';
import {
  address,
  expectCount,
  expectText,
  expectToContain,
  exportAs,
  fileSavedBy,
  press,
  textsOf,
} from '#testing/component/screen.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The future and the option that expire next. */
const [FUTURE, OPTION] = ['BUSQ26', 'BUSU26-C80000'];
const [FUTURE_SETTLES, OPTION_SETTLES] = [Date.parse('2026-08-28T21:00:00Z'), Date.parse('2026-09-25T21:00:00Z')];
/** The window is tall enough for all rows, because the list draws only visible ones. */
const size = [1_280, 4_400] as const;

const rows = page.getByRole('grid', { name: 'Markets' }).getBySelector('[role=row]:has([role=gridcell])');
const rowOf = (symbol: string): Locator => rows.filter({ has: page.getByRole('link', { name: symbol, exact: true }) });
const cellOf = (symbol: string, column: string): Locator => rowOf(symbol).getBySelector(`[data-column="${column}"]`);
const columnOf = (column: string): readonly string[] => textsOf(rows.getBySelector(`[data-column="${column}"]`));
const expiryButton = page.getByRole('button', { name: 'Expiry, call / put' });
const dialog = page.getByRole('dialog', { name: 'Filter by expiry, call or put' });

/** Sets noon in Chicago some days earlier: contracts settle at 16:00 there. */
const noonBefore = (settles: number, days: number): Change => atVenueTime(settles - days * DAY_MS - 4 * HOUR_MS);

async function openMarkets(at: string, change?: Change): Promise<void> {
  await open(at, change ? { size, change } : { size });
  await expect.element(rows.first()).toBeVisible();
}

/** Stores a layout, so that Markets starts with these columns. */
function showColumns(...columns: readonly string[]): void {
  localStorage.setItem(
    'perpdesk.markets.layout',
    JSON.stringify({
      version: 1,
      order: ['favourite', 'symbol', ...columns, 'underlying'],
      hidden: [],
      widths: {},
      pinned: { start: ['favourite', 'symbol'], end: [] },
    }),
  );
}

it('have the time to expiry of every product, in hours under three days, and none of a perpetual', async () => {
  await openMarkets('/?sort=daysLeft', noonBefore(FUTURE_SETTLES, 2));
  await expect.element(page.getBySelector('[role=columnheader][data-column="daysLeft"]')).toBeInViewport({ ratio: 1 });
  await expectText(cellOf(FUTURE, 'daysLeft'), '52 h');
  for (const [symbol, days] of [
    [OPTION, '30'],
    ['BUSV26', '65'],
    ['BUSX26', '93'],
    ['BUSH27', '212'],
    ['BUSQ26-BUSV26', '52 h'],
    ['PBTCUCZ50', '–'],
  ] as const)
    await expectText(cellOf(symbol, 'daysLeft'), days);
  // Perpetuals come last in both directions.
  const days = (): readonly number[] =>
    columnOf('daysLeft').map((text) => (text.endsWith(' h') ? Number.parseInt(text) / 24 : Number(text)));
  const ascending = days();
  expect(ascending.slice(-17).every((day) => Number.isNaN(day))).toBe(true);
  const known = ascending.slice(0, -17);
  expect(known).toEqual(known.toSorted((a, b) => a - b));
  await openMarkets('/?sort=-daysLeft', noonBefore(FUTURE_SETTLES, 2));
  expect(days()).toEqual([...known.toReversed(), ...ascending.slice(-17)]);
});

it.each([
  [40.5 * HOUR_MS, '40 h'],
  [3.1 * DAY_MS, '3'],
  [2.99 * DAY_MS, '71 h'],
  [1.5 * HOUR_MS, '1 h'],
])('count by the exchange’s clock: %i ms before the final settlement', async (before, text) => {
  await openMarkets(`/?q=${FUTURE}&type=future`, atVenueTime(FUTURE_SETTLES - before));
  await expectText(cellOf(FUTURE, 'daysLeft'), text);
});

it('say why a perpetual has no days, and where those of a dated contract come from', async () => {
  for (const [at, name, text] of [
    ['/?q=PBTCUCZ50', 'PBTCUCZ50 days to expiry: –', 'A perpetual does not expire.'],
    [`/?q=${FUTURE}&type=future`, `${FUTURE} days to expiry: 11`, 'final_settle_time'],
  ] as const) {
    await openMarkets(at);
    await rows.first().getBySelector('[data-column="daysLeft"]').click();
    await press('i');
    await expectToContain(page.getByRole('dialog', { name }), text);
  }
});

it('have columns of the specification', async () => {
  showColumns('strike', 'right', 'underlyingProduct', 'expiry', 'hours');
  await openMarkets(`/?q=${OPTION}&type=option`);
  // 16,000 ticks of 5 USD.
  for (const [column, text] of [
    ['strike', '80,000'],
    ['right', 'call'],
    ['underlyingProduct', 'BUSU26'],
    ['expiry', '25 Sep 2026'],
    ['hours', '19:00–16:00'],
  ] as const)
    await expectText(cellOf(OPTION, column), text);
  await expect
    .element(cellOf(OPTION, 'underlyingProduct').getByRole('link', { name: 'BUSU26' }))
    .toHaveAttribute('href', '/price/15120');
});

it('have the legs of a spread, and none of another product', async () => {
  showColumns('legs');
  await openMarkets('/?sort=symbol');
  await expectText(cellOf('BUSQ26-BUSV26', 'legs'), '+1 BUSQ26, −1 BUSV26');
  await expectText(cellOf('PBTCUCZ50', 'legs'), '–');
});

it('mark what expires within a week, by shape and in words, here and where products are chosen', async () => {
  const change = noonBefore(FUTURE_SETTLES, 7);
  await openMarkets('/?q=BUS&type=future&sort=daysLeft', change);
  const marked = (): readonly string[] =>
    rows
      .getBySelector('[data-column="symbol"]')
      .elements()
      .filter((cell) => getComputedStyle(cell, '::after').content.includes('expires within a week'))
      .map((cell) => cell.textContent);
  await expect.poll(marked).toEqual([FUTURE]);
  await press('Control+k');
  await page.getByRole('combobox').fill(FUTURE);
  await expectToContain(page.getByRole('option').first(), 'expires in 7 days');
  await open(`/price/${FUTURE}`, { change });
  await expectToContain(
    page.getByRole('region', { name: `${FUTURE} current figures` }),
    'expires 28 Aug 2026, 21:00 UTC, in 7 days',
  );
  await page.getByRole('button', { name: 'Compare with' }).click();
  await page.getByRole('combobox', { name: 'Compare with' }).fill(FUTURE);
  await expectToContain(page.getByRole('option').first(), 'expires in 7 days');
});

it('mark nothing a day earlier', async () => {
  await openMarkets(`/?q=${FUTURE}&type=future`, noonBefore(FUTURE_SETTLES, 8));
  await expectText(cellOf(FUTURE, 'daysLeft'), '8');
  await expect.element(cellOf(FUTURE, 'symbol')).not.toHaveAttribute('data-tone');
});

it('are filtered by expiry and by calls and puts in the address, and a button removes the filter', async () => {
  const change = noonBefore(OPTION_SETTLES, 20);
  const calls = [80, 85, 90, 95, 100, 105, 110].map((thousands) => `BUSU26-C${String(thousands)}000`);
  await openMarkets('/?type=option', change);
  await expiryButton.click();
  await dialog.getByRole('radio', { name: 'Within 30 days' }).click();
  await dialog.getByRole('radio', { name: 'Calls' }).click();
  await press('Escape');
  await expect.poll(address).toBe('/?type=option&expires=30d&right=call');
  await expect.poll(() => columnOf('symbol').toSorted()).toEqual(calls.toSorted());
  await openMarkets(address(), change);
  await expect.poll(() => columnOf('symbol').toSorted()).toEqual(calls.toSorted());
  await page.getByRole('button', { name: 'expires within 30 days, calls, remove filter' }).click();
  await expect.poll(address).toBe('/?type=option');
  await expect.element(expiryButton).toHaveFocus();
});

it('are filtered by a range of days; one that ends before it starts says so and matches nothing', async () => {
  await openMarkets('/?type=future');
  await expiryButton.click();
  await dialog.getByLabelText('To', { exact: true }).fill('2026-08-28');
  await press('Escape');
  await expect.poll(address).toBe('/?type=future&expires=..2026-08-28');
  await expect.poll(() => columnOf('symbol').toSorted()).toEqual(['BUCQ26', 'BUSQ26', 'ETUDQ26', 'SOUHQ26']);
  await expect.element(page.getByRole('button', { name: /^expires by .*remove filter$/ })).toBeVisible();
  await expiryButton.click();
  await dialog.getByLabelText('From', { exact: true }).fill('2026-08-29');
  await expect.element(dialog.getByText('The end is before the start, so nothing matches.')).toBeVisible();
  await press('Escape');
  await expect.element(page.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect.poll(address).toBe('/');
});

it('are found as one types, which marks what matches; rows open as before', async () => {
  // The window is wide enough for the column of the underlying.
  await open('/?sort=symbol', { size: [1_720, 4_400] });
  await page.getByRole('searchbox').fill('btc');
  for (const column of ['symbol', 'underlying'])
    await expectText(cellOf('PBTCUCZ50', column).getBySelector('mark'), 'BTC');
  await page.getByRole('searchbox').fill('busz');
  await expectText(rows.getBySelector('mark').first(), 'BUSZ');
  await page.getByRole('searchbox').fill('');
  await expectCount(rows.getBySelector('mark'), 0);
  await rowOf('PBTCUCZ50').getByRole('link', { name: 'PBTCUCZ50', exact: true }).click();
  await expect.poll(address).toBe('/price/PBTCUCZ50');
});

it('come after all other columns in the CSV', async () => {
  await openMarkets(`/?q=${OPTION}&type=option`);
  const { text } = await fileSavedBy(() => exportAs('CSV, with sources'));
  const [head = '', line = ''] = text.split('\r\n');
  expect(head).toMatch(
    /,overdue,final_settlement_at,days_to_expiry,first_trading_day,call_or_put,strike_usd,underlying_product,legs,contract_size,tick_size_usd,opens_chicago,settles_chicago,strike_ticks_raw,terms_withheld_because,hours_to_expiry,change_percent,settled_rate_in_doubt_because,predicted_rate_in_doubt_because,trading,opens_at$/,
  );
  expect(line).toContain(',2026-09-25T21:00:00.000000000Z,');
  expect(line).toContain(',16000,');
});
