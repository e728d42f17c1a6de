// Tests what the screen shows of calendar spreads; the differences of their legs are tested in the model.
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { changing, toRows } from '#testing/component/change-answers.ts';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { type Change, open } from '#testing/component/mount.tsx';
import { exportAs, exportMenu, expectText, expectToContain, fileSavedBy, press } from '#testing/component/screen.ts';

const SPREADS = '/curve/BTC?view=spreads';
const SPREAD = 'BUSU26-BUSZ26';
const SPREAD_ID = 15_128;
const main = page.getByRole('main');
const grid = page.getByRole('grid', { name: 'BTC calendar spreads' });
const cellOf = (spread: string, column: string) =>
  grid
    .getBySelector('[role=row]')
    .filter({ has: page.getByRole('link', { name: spread, exact: true }) })
    .getBySelector(`[data-column="${column}"]`);

test('a spread is compared with its legs in ticks and USD, and leads to its price and to that of its legs', async () => {
  await open(SPREADS);
  await expectToContain(main, '8 of 8 spreads settled within a tick of the difference of the legs.');
  await expectText(cellOf(SPREAD, 'settlement'), '−1,730.00');
  // (21,925 − 22,270) × 5 USD
  await expectText(cellOf(SPREAD, 'legs'), '−1,725.00');
  await expectText(cellOf(SPREAD, 'gapTicks'), '−1.0');
  await expectText(cellOf(SPREAD, 'gapUsd'), '−5.00');
  await expectText(cellOf(SPREAD, 'lastAt'), '2026-08-14 20:59:59 UTC');
  // −350 − (21,974 − 22,299), of trades that are three days apart
  await expectText(cellOf(SPREAD, 'lastTicks'), '−25.0');
  await expectText(cellOf(SPREAD, 'oldestAt'), '2026-08-14 20:59:59 UTC');
  await expect.element(cellOf(SPREAD, 'lastTicks')).toHaveAttribute('data-tone', 'quiet');
  await expect
    .element(page.getByRole('link', { name: SPREAD, exact: true }))
    .toHaveAttribute('href', `/price/${SPREAD}`);
  await expect
    .element(page.getByRole('link', { name: 'Compare 1 × BUSU26 − 1 × BUSZ26' }))
    .toHaveAttribute('href', expect.stringMatching(/^\/price\/BUSU26-BUSZ26\?vs=\d+,\d+&compare=difference$/));
});

test('a spread explains the tick sizes in which it is compared, and a keyboard reaches them', async () => {
  await open(SPREADS);
  await expectText(cellOf(SPREAD, 'legs'), '−1,725.00');
  (grid.element() as HTMLElement).focus();
  await press('ArrowDown', 'i');
  await expectToContain(page.getByRole('dialog'), 'Tick sizes\nBUCU26-BUCZ26: 5 USD per BTC\nBUCU26: 5 USD per BTC');
});

/** Moves a settlement, with the change that was computed from it, and without the values that contradict it. */
const settledAt =
  (ticks: number): Change =>
  (answer) => {
    const toSettled = toRows((row) =>
      row['product_id'] === SPREAD_ID
        ? {
            ...row,
            ...{ settlement_price: ticks, price_change: (row['last_price'] as number) - ticks },
            ...{ notional_volume: null, notional_block_volume: null },
          }
        : row,
    );
    const toUnvalued = toRows((row) =>
      row['productId'] === SPREAD_ID ? { ...row, notionalVolume: null, notionalOpenInterest: null } : row,
    );
    if (/product\/data\/(?:\?day=2026-08-14)?$/.test(answer.target)) return toSettled(answer);
    return answer.target.includes('charts/voi') ? toUnvalued(answer) : answer;
  };

test('a spread that settled away from its legs is marked, and named', async () => {
  await open(SPREADS, { change: settledAt(-340) });
  await expectToContain(main, '7 of 8 spreads settled within a tick of the difference of the legs.');
  await expect.element(cellOf(SPREAD, 'gapTicks')).toHaveAttribute('data-tone', 'attention');
  await expectToContain(main, `${SPREAD} settled 5.0 ticks (25 USD) above the difference of its legs.`);
});

test('a settlement that contradicts other data is withheld, and says why', async () => {
  await open(SPREADS, {
    change: changing(
      /product\/data\/$/,
      toRows((row) => (row['product_id'] === SPREAD_ID ? { ...row, settlement_price: -340 } : row)),
    ),
  });
  await expectText(cellOf(SPREAD, 'settlement'), 'n/a');
  await expectToContain(page.getByRole('list', { name: 'Apart or not compared' }), SPREAD);
});

test('a spread without a price, and one whose leg has no settlement, say so', async () => {
  const without = {
    settlement_price: null,
    settlement_time: null,
    last_price: null,
    last_price_time: null,
    price_change: null,
  };
  await open(SPREADS, {
    change: changing(
      /product\/data\/$/,
      toRows((row) => ([SPREAD_ID, 15_504].includes(row['product_id'] as number) ? { ...row, ...without } : row)),
    ),
  });
  await expectToContain(main, `${SPREAD} is listed without a price.`);
  await expectToContain(main, 'BUSH27 has no settlement, so there is no difference of the legs.');
  await expectToContain(main, 'BUSH27 has no last price, so last prices are not compared.');
  await expectText(cellOf(SPREAD, 'settlement'), '–');
});

test('the file has the differences; the screen is accessible, and fits a phone', async () => {
  await open(SPREADS);
  await expectText(cellOf(SPREAD, 'legs'), '−1,725.00');
  const { text } = await fileSavedBy(() => exportAs('CSV, figures only', exportMenu('calendar spreads')));
  expect(text).toContain('legs_difference_usd,settlement_minus_legs_usd,settlement_minus_legs_ticks');
  expect(text).toContain(`${String(SPREAD_ID)},${SPREAD},1 × BUSU26 − 1 × BUSZ26,`);
  await expectAccessible();
  await expectToFit(390, 1_440);
});
