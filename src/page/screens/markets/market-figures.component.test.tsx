// Compares the cells, notices and footer of Markets with the recorded answers.
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { changing, holding, toRows } from '#testing/component/change-answers.ts';
import { mount } from '#testing/component/mount.tsx';
import { RECORDED_AT } from '#testing/component/recorded-at.ts';
import { address, expectCount, expectText, expectToContain, press } from '#testing/component/screen.ts';
import { cellOf, footer, grid, head, lines, openMarkets } from '#testing/component/markets-page.ts';

test('figures are the exchange’s, in the unit of their header', async () => {
  await openMarkets('/?q=PBTCUCZ50');
  const expected = {
    last: '109,235.00',
    settlement: '110,195.00',
    change: '−960.00',
    changePercent: '−0.87',
    volume: '4,113',
    volumeUsd: '4,543,999',
    openInterest: '9,685',
    openInterestUsd: '10,567,788',
  };
  for (const [column, text] of Object.entries(expected)) await expectText(cellOf('PBTCUCZ50', column), text);
});

test('funding: settled rate, predicted rate, APR as the rate × 3 × 365, and a countdown that runs', async () => {
  let isHeld = false;
  const { change } = holding(/./);
  await openMarkets('/?q=PBTCUCZ50', { change: (answer, sent) => (isHeld ? change(answer, sent) : answer) });
  for (const [column, text] of [
    ['funding', '+0.0100'],
    ['estimate', '+0.0100'],
    ['apr', '+10.95'],
  ] as const)
    await expectText(cellOf('PBTCUCZ50', column), text);
  // The exchange's clock is half a second ahead.
  await expectText(cellOf('PBTCUCZ50', 'boundary'), '3:29:59');
  // Another answer would set the clock to half past twelve again.
  isHeld = true;
  vi.setSystemTime(RECORDED_AT + 90_000);
  await expectText(cellOf('PBTCUCZ50', 'boundary'), '3:28:29');
});

test('predicted rates that are cached are shown at once on return to the list', async () => {
  let isHeld = false;
  const { change, letGo } = holding(/\/funding-rates\/estimated\//);
  await openMarkets('/?type=perpetual', { change: (answer, sent) => (isHeld ? change(answer, sent) : answer) });
  const estimates = lines().getBySelector('[data-column="estimate"]');
  await expectCount(estimates.filter({ hasText: /\d/ }), 17);
  isHeld = true;
  await page.getByRole('link', { name: 'Status' }).click();
  await expect.element(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
  history.back();
  await expectCount(estimates, 17);
  await expectCount(estimates.filter({ hasText: /\d/ }), 17);
  letGo();
});

test('a figure has a tooltip with its provenance, by pointer and by key', async () => {
  await openMarkets('/?q=PBTCUCZ50');
  const cell = cellOf('PBTCUCZ50', 'openInterestUsd');
  await cell.click();
  const tooltip = page.getByRole('dialog', { name: 'PBTCUCZ50 open interest: 10,567,787.75 USD' });
  await expectToContain(tooltip, 'US cents × 0.01 = USD');
  await expectToContain(tooltip, 'notionalOpenInterest');
  await cell.click();
  await expectCount(tooltip, 0);
  await page.getByRole('searchbox').click();
  await press('Enter', 'End', ...Array<string>(5).fill('ArrowLeft'));
  await expect.element(cell).toHaveAttribute('data-active');
  await press('i');
  await expect.element(tooltip).toBeVisible();
  await press('Escape');
  await expect.element(grid()).toHaveFocus();
  await expect.element(cell).toHaveAttribute('data-active');
});

test('where the tick size check fails, USD from ticks is n/a with the reason, and nothing stands in for it', async () => {
  await openMarkets('/?q=PSHBUNZ50');
  for (const column of ['last', 'settlement', 'change']) await expectText(cellOf('PSHBUNZ50', column), 'n/a');
  const reason = page.getByText(
    'The published tick size, 0.000002 USD, or contract size, 100000, looks wrong: together they imply about 1,000 times the exchange’s own USD values of 15 Aug 2026',
  );
  await expect.element(reason).not.toBeVisible();
  await page.getByText('1 product withheld').click();
  await expect.element(page.getByText('PSHBUNZ50: USD prices, USD values withheld.')).toBeVisible();
  await expect.element(reason).toBeVisible();
});

test('the row of a product of which figures are withheld is marked, and the count is of the products shown', async () => {
  await openMarkets();
  await expect.element(page.getByText('1 product withheld')).toBeVisible();
  await expect.element(cellOf('PSHBUNZ50', 'symbol')).toHaveAttribute('data-tone', 'withheld');
  await page.getByRole('searchbox').fill('btc perp');
  await expectCount(page.getByText('1 product withheld'), 0);
});

test('where figures of many products are withheld, which and why is said at once', async () => {
  const toDollars = toRows((row) => ({
    ...row,
    notionalOpenInterest: Math.round(Number(row['notionalOpenInterest']) / 100),
  }));
  await openMarkets('/', { change: changing(/\/charts\/voi/, toDollars) });
  await expectText(footer().getBySelector('summary'), /^\d\d products withheld$/);
  await expect.element(page.getByText(/and \d+ more: USD open interest withheld\./)).toBeVisible();
});

test('totals keep notional, option premium and spread difference apart, and open interest has its date', async () => {
  await openMarkets();
  // The values of one product are withheld.
  await expectToContain(
    footer(),
    'Open interest USD: notional 185,943,542 (40 of 41 products), option premium 4,887,525 (13 of 14 products), spread difference 311,653',
  );
  await expectToContain(head('OI').first(), 'OI 14/15 Aug');
  await page.getByRole('radio', { name: 'Spreads' }).click();
  await expectToContain(footer(), 'Open interest USD: spread difference 311,653');
  expect(footer().element().textContent).not.toContain('notional');
  expect(address()).toBe('/?type=spread');
});

test('the footer with the legend is there before the list has loaded', async () => {
  const { change, letGo } = holding(/^\/api\//);
  mount('/', { change });
  const legend = page.getByText('Positive funding: longs pay shorts.');
  await expect.element(legend).toBeVisible();
  await expectCount(grid(), 0);
  letGo();
  await expect.element(grid()).toBeVisible();
  await expectCount(legend, 1);
});
