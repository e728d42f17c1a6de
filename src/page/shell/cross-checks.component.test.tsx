// These tests cover contradictory figures of the exchange, on every screen that shows them.
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { changing, toProblem, toRows, type Row } from '#testing/component/change-answers.ts';
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

const size = [1_440, 1_600] as const;
const [BITCOIN, ETHER] = [5_614, 5_608];
const DIRECTORY = /\/desk\/products$/;
const TRAILING = /\/market\/stats\/trailing\//;
const DAILY = /\/charts\/voi/;

function times(target: RegExp, id: number, field: string, factor: number): Change {
  return changing(
    target,
    toRows((row) =>
      (row['product_id'] ?? row['productId']) === id && typeof row[field] === 'number'
        ? { ...row, [field]: row[field] * factor }
        : row,
    ),
  );
}

const toDollars = (cents: unknown): unknown => (typeof cents === 'number' ? Math.round(cents / 100) : cents);
const inDollars = (row: Row): Row => ({
  ...row,
  notionalVolume: toDollars(row['notionalVolume']),
  notionalOpenInterest: toDollars(row['notionalOpenInterest']),
});

const cellOf = (symbol: string, column: string): Locator =>
  page
    .getByRole('grid', { name: 'Markets' })
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: symbol, exact: true }) })
    .getBySelector(`[data-column="${column}"]`);
const notes = (): Locator => page.getByRole('note');
const checks = (): Locator => page.getByRole('region', { name: 'Cross-checks' });
const currentFigures = (symbol: string): Locator => page.getByRole('region', { name: `${symbol} current figures` });

test('Status shows every check with what it found: one tick size of the exchange is wrong', async () => {
  // The age shown is that of the compared figures, not that of the product list.
  await open('/status', {
    size: [1_280, 1_600],
    change: (answer) =>
      answer.target.endsWith('/desk/products') ? { ...answer, headers: { ...answer.headers, age: '1800' } } : answer,
  });
  const row = (text: string): Locator => checks().getByRole('row').filter({ hasText: text });
  await expectToContain(
    row('Settlement and open interest'),
    'PSHBUNZ50: the second figure is 0.001 times the first, session of 15 Aug 2026',
  );
  const [, compared, failed] = textsOf(row('Settlement and open interest').getByRole('cell'));
  expect(Number(compared)).toBeGreaterThan(50);
  expect(failed).toBe('1');
  await expectText(row('Volume of a session').getByRole('cell').nth(2), '0');
  await expectToContain(row('Settlement, product data and chart'), 'Checked on Price, Volume / OI and Funding');
  await expect.element(checks().getBySelector('[data-freshness]')).toHaveAttribute('data-freshness', 'live');
  const { scrollWidth, clientWidth } = checks().getByRole('group').element();
  expect(scrollWidth).toBe(clientWidth);
});

const withTickOff = times(DIRECTORY, ETHER, 'price_increment', 1.05);

test('a tick size that is off by 5 % is found on Markets and Price', async () => {
  await open('/?q=PETHUIZ50', { size, change: withTickOff });
  for (const column of ['last', 'settlement']) await expectText(cellOf('PETHUIZ50', column), 'n/a');
  await page.getByText('1 product withheld').click();
  await expect.element(page.getByText('PETHUIZ50: USD prices, USD values withheld.')).toBeVisible();
  await open('/price/PETHUIZ50', { size, change: withTickOff });
  await expectToContain(
    currentFigures('PETHUIZ50').getByRole('note'),
    'gives about 1.05 times the exchange’s own USD price',
  );
  // The chart shows it in USD: 19,542 ticks of 0.2 USD.
  await expectText(
    currentFigures('PETHUIZ50')
      .getBySelector('dl > div')
      .filter({ hasText: /^Settlement USD/ })
      .getByRole('button')
      .first(),
    '3,908.40',
  );
});

test('a tick size that is off by 5 % is found on Status, Funding and Orders', async () => {
  await open('/status', { size, change: withTickOff });
  await expectToContain(checks(), 'PETHUIZ50: the second figure is 0.9524 times the first');
  await open('/funding/ETHUI', { size, change: withTickOff });
  await expect.element(page.getByText('gives about 1.05 times the exchange’s own USD price').first()).toBeVisible();
  await open('/orders?f=product:is:PETHUIZ50', { size, change: withTickOff });
  await expectText(page.getBySelector('[role=gridcell][data-column=price]').first(), 'n/a');
});

test('a 24 h volume in cents is found on Markets and Price, and is not in the total', async () => {
  const change = times(TRAILING, BITCOIN, 'notionalVolume', 100);
  await open('/?q=PBTCUCZ50', { size, change });
  for (const [column, text] of [
    ['volumeUsd', 'n/a'],
    ['volume', '4,113'],
    ['last', '109,235.00'],
  ] as const)
    await expectText(cellOf('PBTCUCZ50', column), text);
  await page.getByText('1 product withheld').click();
  await expect.element(page.getByText('PBTCUCZ50: 24 h volume in USD withheld.')).toBeVisible();
  await expectToContain(page.getBySelector('footer'), '24 h volume USD: notional – (0 of 1 products)');
  await open('/price/PBTCUCZ50', { size, change });
  await expectToContain(
    currentFigures('PBTCUCZ50').getByRole('note'),
    'The USD value of the 24 h volume is about 100 times',
  );
});

test('daily values in dollars get one notice, whatever the number of products, and no tick size is blamed', async () => {
  await open('/', { size, change: changing(DAILY, toRows(inDollars)) });
  await expect.element(page.getByText(/and \d+ more: USD open interest withheld\./)).toBeVisible();
  await expectCount(page.getByRole('main').getByText(/withheld\.$/), 2);
  await expectText(cellOf('PBTCUCZ50', 'openInterestUsd'), 'n/a');
  await expectText(cellOf('PBTCUCZ50', 'settlement'), '110,195.00');
});

test('a total that is not the sum of its products is withheld, and stacked they are shown', async () => {
  const total = /\/charts\/voi\?.*product_id=\d+&.*product_id=\d+/;
  await open('/volume/PBTCUCZ50,PETHUIZ50', {
    size,
    change: changing(
      total,
      toRows((row) => ({ ...row, volume: typeof row['volume'] === 'number' ? row['volume'] + 1 : null })),
    ),
  });
  const panel = page.getByRole('main').getBySelector('section[data-level]');
  await expect.element(panel.getByRole('heading', { name: 'Total withheld' })).toBeVisible();
  await expect
    .poll(() => panel.element().textContent)
    .toMatch(/The exchange’s total for \d+ \w+ 2026 is [\d,]+ contracts, but the products add up to [\d,]+\./);
  await panel.getByRole('button', { name: 'Show the products stacked' }).click();
  await expect.poll(address).toContain('as=stacked');
  await expect.element(page.getBySelector('canvas').first()).toBeVisible();
});

const bitcoinInDollars = changing(
  DAILY,
  toRows((row) => (row['productId'] === BITCOIN ? inDollars(row) : row)),
);
const withheldNotice = (): Locator => notes().filter({ hasText: 'PBTCUCZ50: USD values withheld.' });

test('daily values of one product in dollars are withheld in the table and in its file', async () => {
  await open('/volume/PBTCUCZ50?unit=usd&view=table', { size, change: bitcoinInDollars });
  await expectToContain(withheldNotice(), 'about 1/100 of');
  // The open interest of the newest sessions has not been published yet.
  await expectCount(page.getByRole('table').getByRole('row').nth(5).getByText('n/a'), 2);
  const { text } = await fileSavedBy(() => exportAs('CSV, with sources'));
  expect(text.split('\r\n').slice(0, 2)).toEqual([
    expect.stringContaining('withheld_because'),
    expect.stringMatching(/about 1\/100 of/),
  ]);
  await page.getByRole('radio', { name: 'Contracts' }).click();
  await expectCount(page.getByRole('table').getByText('n/a'), 0);
});

test('daily values of one product in dollars are withheld stacked and in a total', async () => {
  const missing = (): Locator => page.getByTestId('legend').getByRole('button', { name: 'n/a' });
  for (const [as, count] of [
    ['&as=stacked', 4],
    ['', 2],
  ] as const) {
    await open(`/volume/PBTCUCZ50,PETHUIZ50?unit=usd${as}`, { size, change: bitcoinInDollars });
    await expectCount(withheldNotice(), 1);
    await expectCount(missing(), count);
  }
});

test('a contract size that is off withholds all values in USD on Price and Volume, with the reason once', async () => {
  const change = times(DIRECTORY, BITCOIN, 'contract_size', 10);
  await open('/price/PBTCUCZ50', { size, change });
  await expectCount(page.getByText(/gives about 10 times the exchange’s own USD values/), 1);
  const figures = currentFigures('PBTCUCZ50');
  await expectToContain(figures, 'contract size n/a');
  for (const name of ['24 h volume', 'Open interest'])
    await expectText(figures.getBySelector('dl > div').filter({ hasText: name }).getByRole('button').last(), 'n/a');
  await open('/volume/PBTCUCZ50,PETHUIZ50?as=stacked&unit=usd', { size, change });
  await expectText(
    notes(),
    /^PBTCUCZ50: USD values withheld\.\s+The published contract size, 0\.1, gives about 10 times the exchange’s own USD values/,
  );
});

test('a settlement of the chart that alone is off is withheld in the header, and all prices of the chart; volume stays', async () => {
  const change = changing(
    /\/charts\/price\//,
    toRows((row) => ({ ...row, settlementPrice: (Number(row['settlementPrice']) * 1.05).toFixed(10) })),
  );
  const reason = /The chart’s settlement of .* is about 1\.05 times what the exchange’s other figures imply/;
  await open('/price/PBTCUCZ50?view=table', { size, change });
  await expectCount(notes().filter({ hasText: reason }), 1);
  await expectCount(page.getByRole('table').getByRole('row').nth(3).getByRole('cell').filter({ hasText: 'n/a' }), 5);
  await open('/price/PBTCUCZ50', { size, change });
  await page.getByTestId('legend').getByRole('button', { name: 'n/a' }).last().click();
  await expectText(page.getByRole('dialog'), reason);
});

test('where the exchange offers no product data, there is no settlement, and the tooltip says why', async () => {
  await open('/?q=PBTCUCZ50', {
    size,
    change: changing(/\/product\/data\//, toProblem('not-found', 'The exchange does not offer this.')),
  });
  await expectText(cellOf('PBTCUCZ50', 'settlement'), '–');
  await cellOf('PBTCUCZ50', 'settlement').click();
  await press('i');
  await expectToContain(
    page.getByRole('dialog'),
    'Product data have not been read, or the exchange does not offer them.',
  );
});
