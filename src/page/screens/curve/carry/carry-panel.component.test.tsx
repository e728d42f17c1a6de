// Tests the carry of each month against the perpetual as the screen shows it; its numbers are tested in the model.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { changing, toBody, toRows, unreachable } from '#testing/component/change-answers.ts';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { open } from '#testing/component/mount.tsx';
import { readCsv } from '#testing/read-csv.ts';
import { address, exportAs, exportMenu, expectText, expectToContain, fileSavedBy } from '#testing/component/screen.ts';

const CARRY = '/curve/BTC?view=carry';
const main = page.getByRole('main');
const grid = page.getByRole('grid', { name: 'BTC carry' });
const rowOf = (month: string) =>
  grid.getBySelector('[role=row]').filter({ has: page.getByRole('gridcell', { name: month, exact: true }) });
const cellOf = (month: string, column: string) => rowOf(month).getBySelector(`[data-column="${column}"]`);

test('each month has the side that earned, its basis, funding as realised and predicted, and what they are made of', async () => {
  await open(CARRY);
  await expectToContain(main, 'rates in 30 days.');
  await expectText(cellOf('Z26', 'position'), /^(Long perp, short|Short perp, long) Z26$/);
  await expectText(cellOf('Z26', 'realised'), /^\+\d+\.\d\d$/);
  await page.getByRole('radio', { name: 'Long perpetual' }).click();
  // (22,270 − 21,750) × 5 USD of 108,750 USD, 133 days and an hour before expiry.
  await expectText(cellOf('Z26', 'basis'), '+6.56');
  await expectText(cellOf('Z26', 'position'), 'Long perp, short Z26');
  await page.getByRole('radio', { name: 'Short perpetual' }).click();
  await expectText(cellOf('Z26', 'basis'), '−6.56');
  await cellOf('Z26', 'basis').click();
  await expectToContain(page.getByRole('dialog'), 'Settlement of BUSZ26 − settlement of PBTCUCZ50');
});

test('figures are a year, of a contract, or of a notional, which is typed', async () => {
  await open(`${CARRY}&position=cash&series=BUS`);
  await page.getByRole('radio', { name: 'USD a contract' }).click();
  await expect.element(grid.getByRole('columnheader', { name: /^Carry to expiry, 30 d mean/ })).toBeVisible();
  await expect.element(grid.getByRole('columnheader', { name: /^Funding in 30 d/ })).toBeVisible();
  await expectText(cellOf('Z26', 'basis'), '+2,600.00');
  await page.getByRole('radio', { name: 'USD of a notional' }).click();
  await page.getByRole('textbox', { name: 'Notional, USD' }).fill('108,750');
  await expectText(cellOf('Z26', 'basis'), '+2,600.00');
  expect(address()).toContain('notional=108%2C750');
  await page.getByRole('textbox', { name: 'Notional, USD' }).fill('250k');
  await expectToContain(main, '250,000 USD');
  await page.getByRole('textbox', { name: 'Notional, USD' }).fill('much');
  await expectToContain(main, 'The notional must be an amount above zero, in USD, such as');
});

test('the file has the figures a year and in USD, with both responses', async () => {
  await open(`${CARRY}&position=cash&series=BUS`);
  await expectText(cellOf('Z26', 'realised'), /\d/);
  const { name, text } = await fileSavedBy(() => exportAs('CSV, with sources', exportMenu('carry')));
  expect(name).toBe('carry-BTC-BUS.csv');
  const [heading = [], ...rows] = readCsv(text);
  const row = rows.find((cells) => cells[heading.indexOf('symbol')] === 'BUSZ26') ?? [];
  const at = (column: string): string => row[heading.indexOf(column)] ?? '';
  expect([at('carry_basis_per_year_fraction'), at('carry_basis_usd')]).toEqual(['0.0655917578323272', '2600']);
  expect([at('carry_settled_rates'), at('carry_intervals')]).toEqual(['90', '90']);
  expect(at('price_request')).toContain('day=2026-08-14');
  expect(at('settled_rate_request')).toContain('/funding?base_symbol=BTCUC');
});

test('a tick size ten times wrong, and a month without a settlement, refuse their figures in a sentence', async () => {
  await open(`${CARRY}&series=BUS`, {
    change: (answer, sent) =>
      changing(
        /desk\/products$/,
        toRows((row) => (row['symbol'] === 'BUSZ26' ? { ...row, price_increment: 50 } : row)),
      )(
        changing(
          /data\/\?day/,
          toRows((row) =>
            row['product_id'] === 15_120 ? { ...row, settlement_price: null, settlement_time: null } : row,
          ),
        )(answer, sent) as typeof answer,
        sent,
      ),
  });
  await expectToContain(main, 'BUSU26 has no settlement of 14 Aug 2026.');
  await expectText(cellOf('U26', 'realised'), '–');
  await expectText(cellOf('Z26', 'basis'), /^(–|n\/a)$/);
  await expectToContain(page.getByRole('list', { name: 'Not calculated' }), 'tick size');
});

test('without settled rates the basis stays, and the screen says why there is no carry', async () => {
  await open(`${CARRY}&position=cash&series=BUS`, { change: changing(/desk\/funding/, unreachable) });
  await expectText(cellOf('Z26', 'basis'), '+6.56');
  await expectText(cellOf('Z26', 'realised'), '–');
  await expectToContain(main, 'Settled rates could not be read: The connection was refused.');
});

test('an underlying without a perpetual says so', async () => {
  const withoutPerpetual = toBody(
    (body: { readonly products: readonly { readonly type: string; readonly contract_size_unit: string }[] }) => ({
      ...body,
      products: body.products.filter(({ type, contract_size_unit: unit }) => type !== 'perpetual' || unit !== 'BTC'),
    }),
  );
  await open(CARRY, { change: changing(/desk\/products$/, withoutPerpetual) });
  await expect.element(page.getByRole('heading', { name: 'No perpetual of BTC' })).toBeVisible();
});

test('it is accessible, and fits a phone, where the result comes first', async () => {
  await open(CARRY);
  await expectText(cellOf('Z26', 'realised'), /\d/);
  await expectAccessible();
  await expectToFit(390, 1_440);
  await open(CARRY, { size: [390, 844] });
  await expect.element(cellOf('Z26', 'realised')).toBeInViewport({ ratio: 1 });
});
