// Responses that deviate from the exchange’s published interface, on the screens that show them.
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { changing, toBody, toRows, type Row } from '#testing/component/change-answers.ts';
import { open } from '#testing/component/mount.tsx';
import { expectCount, expectToContain, press } from '#testing/component/screen.ts';

const TRAILING = /\/trailing\/all-products$/;
const VOI = /\/charts\/voi/;
const PRICES = /\/charts\/price\//;

const inFirst = (target: RegExp, change: (row: Row) => Row) =>
  changing(
    target,
    toRows((row, index) => (index === 0 ? change(row) : row)),
  );
const marks = (): Locator => page.getByRole('button', { name: /^\d+ (?:deviation|unknown field)s?$/ });
const dialog = (): Locator => page.getByRole('dialog');

test('an unknown field is shown quietly beside the age, with details by i', async () => {
  await open('/', { change: inFirst(TRAILING, (row) => ({ ...row, colour: 'blue' })) });
  const mark = page.getByRole('button', { name: '1 unknown field' });
  await expect.element(mark).toBeVisible();
  expect(mark.element().closest('[data-state]')?.getAttribute('data-state')).toBe('none');
  mark.element().focus();
  await press('i');
  const details = page.getByRole('dialog', { name: 'Differs from the exchange’s API' });
  for (const text of ['trailingStatsAll: unknown field', 'colour']) await expectToContain(details, text);
});

test.each(['/price', '/volume'])('a missing field is shown in amber on %s', async (address) => {
  // JSON has no undefined: the field is not sent.
  await open(address, { change: inFirst(VOI, (row) => ({ ...row, volume: undefined })) });
  await expectCount(marks(), 1);
  expect(marks().element().closest('[data-state]')?.getAttribute('data-state')).toBe('attention');
  await marks().click();
  await expectToContain(dialog(), 'chartVoi: missing field');
});

test.each([
  ['/price', PRICES],
  ['/volume', VOI],
])('an answer with only invalid rows is not an empty one on %s', async (address, target) => {
  await open(`${address}?range=All`, {
    change: changing(
      target,
      toRows((row) => ({ ...row, date: 0 })),
    ),
  });
  const emptyState = page.getByRole('main').getBySelector('section[data-level]');
  await expect.element(emptyState.getByRole('heading', { name: 'No valid session received' })).toBeVisible();
  await expectToContain(emptyState, 'date: expected');
});

test('a stacked chart fails when one of its products has no valid rows', async () => {
  await open('/volume/PBTCUCZ50,PETHUIZ50?as=stacked&range=1M', {
    change: changing(
      VOI,
      toRows((row) => (row['baseSymbol'] === 'ETHUI' ? { ...row, date: 0 } : row)),
    ),
  });
  await expect.element(page.getByRole('heading', { name: 'No valid session of PETHUIZ50 received' })).toBeVisible();
  await expectCount(page.getByRole('application'), 0);
});

test('a comparison says how many invalid rows are left out', async () => {
  await open('/price/PBTCUCZ50?vs=PETHUIZ50', { change: inFirst(PRICES, (row) => ({ ...row, date: 0 })) });
  await expect.element(page.getByText('2 rows from the exchange failed validation and are left out.')).toBeVisible();
});

test.each([
  ['a session of another product', VOI, '/volume/PBTCUCZ50', { productId: 9_999 }, 'chartVoi: not requested'],
  [
    'a session from before the range',
    PRICES,
    '/price/PBTCUCZ50',
    { date: '2001-01-01', time: '2001-01-01T22:00:00Z' },
    'chartPrice: outside the range',
  ],
  ['an order from the future', /\/api\/orders\?/, '/orders/history', { time: '2099-01-01T00:00:00Z' }, null],
] as const)('%s is left out, and counted', async (_, target, address, values, kind) => {
  await open(address, { change: inFirst(target, (row) => ({ ...row, ...values })) });
  await expect
    .element(page.getByText(/^1 row from the exchange failed validation and is left out/).first())
    .toBeVisible();
  if (kind === null) return;
  await marks().click();
  await expectToContain(dialog(), kind);
});

test('an impossible value is withheld, and the rest of its row stays', async () => {
  await open('/', { change: inFirst(TRAILING, (row) => ({ ...row, volume: -500 })) });
  await page.getByRole('button', { name: '1 deviation' }).click();
  await expectToContain(dialog(), 'trailingStatsAll: impossible value');
  await press('Escape');
  await expectCount(dialog(), 0);
  await expectCount(page.getByText(/row hidden/), 0);
  await expectCount(page.getByText('-500'), 0);
});

test.each([
  ['no decimal', 'abc'],
  ['below zero', '-116680.0000000000'],
])('a settlement that is %s is withheld, and the chart stays', async (_, settlementPrice) => {
  await open('/price/PBTCUCZ50', { change: inFirst(PRICES, (row) => ({ ...row, settlementPrice })) });
  await expect.element(page.getByText('1 session not drawn: settlement n/a.').first()).toBeVisible();
  await expectCount(page.getByText(/failed validation/), 0);
});

test('an index of zero pays nothing, and an implausible rate is named', async () => {
  interface Body {
    readonly perpetuals: readonly { readonly prints: readonly Row[] }[];
  }
  const change = changing(
    /\/desk\/funding/,
    toBody(({ perpetuals, ...rest }: Body) => ({
      ...rest,
      perpetuals: perpetuals.map(({ prints: [first, second, ...others], ...perpetual }) => ({
        ...perpetual,
        prints: [{ ...first, price_index: 0 }, { ...second, funding_rate: 0.0123 }, ...others],
      })),
    })),
  );
  await open('/funding/BTCUC', { change });
  await expectToContain(page.getByTestId('carry-sum'), '1 without a price (no payment)');
  await expectToContain(
    page.getByRole('table', { name: 'Gaps and faults' }),
    'The rate is beyond ±0.75 % per 8 h. Counted in every sum.',
  );
  const history = page.getByRole('grid', { name: 'Funding history' });
  await expectToContain(history, 'implausible rate');
  await expect.element(history.getByText('n/a').first()).toBeVisible();
});

test('the list says that a product with an invalid row is missing', async () => {
  await open('/', { change: inFirst(/\/desk\/products$/, (row) => ({ ...row, product_id: 'one' })) });
  await expect.element(page.getByRole('main').getByText('Products: 1 row left out.')).toBeVisible();
  await expectToContain(page.getByRole('status').first(), '1 row left out.');
});
