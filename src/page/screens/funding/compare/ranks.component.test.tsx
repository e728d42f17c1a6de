import { expect, it } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { expectCount, expectText, expectToContain, textsOf } from '#testing/component/screen.ts';
import {
  cellOf,
  changePerpetuals,
  choice,
  compared,
  expectAllPredicted,
  figureNote,
  rows,
} from '#testing/component/funding-page.ts';

const first = (count: number): readonly string[] => textsOf(rows().getByRole('link')).slice(0, count);
const lines = (): Locator =>
  page
    .getByRole('region', { name: /^Funding rates/ })
    .getByTestId('legend')
    .getBySelector('dt')
    .getByRole('button');

/** Three perpetuals leave the interest rate: one falls and two rise. All others stay at it. */
const MOVED: Readonly<Record<string, number>> = { SHBUN: -0.0009, BCHUS: 0.0003, XTZUK: 0.0005 };
const moveThree = changePerpetuals((perpetual) => ({
  ...perpetual,
  prints: perpetual.prints.map((print, at) =>
    at === 0 ? { ...print, funding_rate: MOVED[perpetual.base_symbol] ?? print.interest_rate } : print,
  ),
}));

/** Tied perpetuals are sorted by premium. */
it.each([
  ['Mean rate', ['ADAUK', 'DOTUH', 'AVEUS', 'LTCUS', 'XLMUK', 'TRXUK'], 'XTZUK'],
  ['Premium', ['AVEUS', 'XRPUH', 'TRXUK', 'SOLUS', 'HBRUK', 'LTCUS'], 'ETHUI'],
  // Seven have not moved for a week.
  ['Std dev', ['TRXUK', 'SOLUS', 'HBRUK', 'BCHUS', 'DOGUK', 'LNKUD', 'BTCUC', 'SHBUN'], 'ADAUK'],
  // TRXUK has no percentile, because it was listed five days ago.
  ['Percentile', ['ADAUK', 'DOTUH', 'XTZUK', 'BCHUS', 'AVEUS', 'XLMUK'], 'TRXUK'],
  ['Z-score', ['ADAUK', 'DOTUH', 'XTZUK', 'BCHUS', 'AVEUS', 'XLMUK'], 'TRXUK'],
  // All but ETHUI are predicted at the interest rate.
  ['Predicted rate', ['AVEUS', 'XRPUH', 'TRXUK', 'SOLUS', 'HBRUK', 'LTCUS'], 'ETHUI'],
] as const)('ranks by %s', async (name, leading, last) => {
  await open(name === 'Mean rate' ? '/funding?rank=rate' : '/funding');
  await expectAllPredicted();
  await choice('Rank by', name).click();
  await expect.poll(() => first(leading.length)).toEqual(leading);
  expect(textsOf(rows().last().getByRole('link'))).toEqual([last]);
  // The mark exceeds the index: 22,121 ÷ 22,083.52 ticks.
  if (name === 'Premium') await expectText(cellOf('AVEUS', 'premium'), '+16.97');
});

it('follows the window in force, names it, and says which ranks are tied', async () => {
  await open('/funding');
  const isHighestFirst = (column: string): boolean => {
    const figures = textsOf(rows().getBySelector(`[data-column="${column}"]`)).map((text) =>
      Number(text.replace('−', '-')),
    );
    return figures.length === 17 && figures.every((figure, at) => figure <= (figures[at - 1] ?? Infinity));
  };
  for (const [name, label, column, leading] of [
    ['30d', '30 d', 'rate-30d', 'DOGUK'],
    ['24h', '24 h', 'rate-24h', 'AVEUS'],
  ] as const) {
    await choice('Range', name).click();
    await expectToContain(compared().getByRole('columnheader', { name: 'Rank' }), label);
    await expect.element(page.getByText(`over ${label}, highest first`)).toBeVisible();
    await expect.poll(() => first(1)).toEqual([leading]);
    await expect.poll(() => isHighestFirst(column)).toBe(true);
  }
  // All but three settled at the interest rate three times.
  await expectCount(rows().getBySelector('[data-column="rank"]').filter({ hasText: /^=/ }), 14);
});

it('compares the mean of the window with those of its length in the past, unless all its rates are the interest rate', async () => {
  await open('/funding?rank=zscore');
  // Computed from the recorded rates by another program.
  await expectText(cellOf('ADAUK', 'percentile'), '99.4');
  await expectText(cellOf('ADAUK', 'zscore'), '+2.41');
  await expectText(cellOf('XTZUK', 'percentile'), '14.2');
  await expectText(cellOf('XTZUK', 'zscore'), '−0.80');
  await expectText(cellOf('BTCUC', 'percentile'), 'at interest rate');
  await expectText(cellOf('TRXUK', 'percentile'), '–');
  await cellOf('ADAUK', 'zscore').click();
  await expectToContain(
    figureNote(),
    '250 windows of 7 d that end at a funding time from 2026-05-26 08:00 to 2026-08-17 08:00 UTC, this one included',
  );
  await expectToContain(figureNote(), 'sample standard deviation (n − 1)');
});

it('ranks by the rate beyond the interest rate, whoever pays, and shows it', async () => {
  await open('/funding?rank=excess', { change: moveThree });
  await expect.poll(() => first(3)).toEqual(['SHBUN', 'XTZUK', 'BCHUS']);
  await expectText(cellOf('SHBUN', 'excess'), '−10.00');
  await expectText(cellOf('XTZUK', 'excess'), '+4.00');
  await choice('Rank by', 'Last rate').click();
  await expectCount(compared().getByRole('columnheader', { name: /^Rate − interest/ }), 0);
});

it('charts both ends of the ranking without a selection, and one line of those that are tied', async () => {
  await open('/funding?rank=rate', { change: moveThree });
  await expectCount(lines(), 4);
  for (const symbol of Object.keys(MOVED)) await expectCount(lines().filter({ hasText: symbol }), 1);
  await expect.element(page.getByText('4 of 17 charted: one of each rank – tick rows to choose')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Chart BCHUS' }).click();
  await expect.element(page.getByText('1 of 17 charted', { exact: true })).toBeVisible();
});

it('keeps lines in the colour and order in which they were selected', async () => {
  await open('/funding?pick=TRXUK,XRPUH');
  const looks = (): readonly string[] =>
    lines()
      .elements()
      .map((line) => line.innerHTML.replaceAll(/[+−]?\d\.\d+/g, ''));
  await expectCount(lines(), 2);
  const before = looks();
  expect(before).toEqual([expect.stringContaining('TRXUK'), expect.stringContaining('XRPUH')]);
  await page.getByRole('checkbox', { name: 'Chart AVEUS' }).click();
  await expectCount(lines(), 3);
  expect(looks().slice(0, 2)).toEqual(before);
});

it('hides a line by its name in the legend, shows one alone, and all again', async () => {
  await open('/funding?pick=BTCUC,ETHUI,SOLUS');
  const expectShown = (shown: readonly boolean[]) =>
    expect
      .poll(() =>
        lines()
          .elements()
          .map((line) => line.getAttribute('aria-pressed') === 'true'),
      )
      .toEqual(shown);
  await lines().nth(0).click();
  await expectShown([false, true, true]);
  await lines()
    .nth(1)
    .click({ modifiers: ['Shift'] });
  await expectShown([false, true, false]);
  await lines().nth(1).dblClick();
  await lines()
    .nth(1)
    .click({ modifiers: ['Shift'] });
  await expectShown([true, true, true]);
});

it('lists what the chart draws in a table', async () => {
  await open('/funding?pick=ETHUI&view=table&form=interval');
  const listed = page.getByRole('table', { name: /^Funding: Settled rate/ }).getBySelector('tbody tr');
  await expectCount(listed, 21);
  await expectText(listed.first().getBySelector('td').last(), '−0.0237');
});
