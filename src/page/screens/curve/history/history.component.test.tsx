import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { RecordedAnswer } from '#testing/component/answers.ts';
import { changing, holding, type Row, stale, toBody, toProblem, toRows } from '#testing/component/change-answers.ts';
import { expectAccessible, expectToFit } from '#testing/component/looks.ts';
import { open, recordedAnswer } from '#testing/component/mount.tsx';
import {
  address,
  expectCount,
  expectText,
  expectToContain,
  exportAs,
  fileSavedBy,
  filesSavedBy,
  press,
} from '#testing/component/screen.ts';

const PRICES = /\/web\/charts\/price\/(\d+)/;
const PERPETUAL = 5_614;
const BUSU26 = 15_120;
const U26 = /\/web\/charts\/price\/15120/;
const LEVEL = 100_000;
const DAY_MS = 86_400_000;

/**
 * Answers with prices that were not recorded: the perpetual always settles at 100,000 USD, and a month 10 USD above it
 * for each day to expiry, which is 3.65 % a year.
 */
async function toPrices(target: string): Promise<RecordedAnswer | null> {
  const [, id] = PRICES.exec(target) ?? [];
  if (id === undefined) return null;
  const products = await recordedAnswer('/api/desk/products');
  const rows = (JSON.parse(products?.text ?? '') as { readonly products: readonly Row[] }).products;
  const expires = rows.find((row) => String(row['product_id']) === id)?.['final_settle_time'];
  const first = Date.parse(new URL(target, 'http://desk').searchParams.get('begin_time') ?? '');
  const count = Math.round((Date.parse('2026-08-14T00:00:00Z') - first) / DAY_MS) + 1;
  const days = Array.from({ length: count }, (_, at) => new Date(first + at * DAY_MS));
  const last = typeof expires === 'string' ? Date.parse(expires) : Infinity;
  const body = days
    .filter((day) => expires === undefined || (day.getUTCDay() % 6 !== 0 && day.getTime() < last))
    .map((day) => {
      const settledAt = day.getTime() + 21 * 3_600_000;
      const price = LEVEL + (expires === undefined ? 0 : (10 * (last - settledAt)) / DAY_MS);
      const text = price.toFixed(10);
      const ohlc = { open: text, high: text, low: text, close: text, volume: 1 };
      return {
        date: day.toISOString().slice(0, 10),
        time: new Date(settledAt).toISOString(),
        ohlc,
        settlementPrice: text,
      };
    });
  const headers = { 'content-type': 'application/json', 'cache-status': 'perpdesk; hit; ttl=900', 'age': '0' };
  return { target, status: 200, headers, text: JSON.stringify(body) };
}

/** Changes one session of a product. */
function onDay(product: RegExp, date: string, change: object) {
  return changing(
    product,
    toRows((row) => (row['date'] === date ? { ...row, ...change } : row)),
  );
}

const openHistory = (query: string, options: Parameters<typeof open>[1] = {}) =>
  open(`/curve/BTC?view=history&over=3M${query}`, { answer: toPrices, ...options });

const main = page.getByRole('main');
const legend = page.getByTestId('legend');
const heatmap = page.getByRole('grid', { name: 'BTC basis of BUS, % a year' });
const cell = heatmap.getByRole('gridcell');

async function focusCell(): Promise<void> {
  await expect.element(cell).toBeVisible();
  (cell.element() as HTMLElement).focus();
}

it('draws a line a month and constant maturities, from one request for each product', async () => {
  const { requested } = await openHistory('');
  await expectToContain(main, '30 days: +3.65 % a year on 14 Aug 2026; lowest +3.65 % a year');
  await expectToContain(main, '65 sessions from 18 May 2026 to 14 Aug 2026.');
  const prices = requested.filter((target) => PRICES.test(target));
  expect(prices).toHaveLength(10);
  expect(new Set(prices.map((target) => target.split('?')[1])).size).toBe(1);
  expect(prices.some((target) => target.includes(`/${String(PERPETUAL)}?`))).toBe(true);
  await expectToContain(legend, 'U26\n+3.65 % a year');
  await expectToContain(legend, 'N26\n– % a year');
  await page.getByRole('radio', { name: 'USD', exact: true }).click();
  await expectToContain(legend, 'U26\n+420');
  await page.getByRole('button', { name: 'U26', exact: true }).click();
  await expect.poll(address).toBe('/curve/BTC?view=history&over=3M&basis=usd&hide=U26');
});

it('has the same figures in a file, each row with its own source, as a table, and as a picture', async () => {
  await openHistory('');
  const { name, text } = await fileSavedBy(() => exportAs('CSV, with sources'));
  expect(name).toBe('basis-BTC-BUS-2026-05-17-2026-08-14.csv');
  const line = text.split('\r\n').find((each) => each.startsWith('2026-08-14,BTC,BUS,month,U26'));
  expect(line).toContain(
    'U26,BUSU26,2026-09-25T21:00:00.000000000Z,60480,100420,2026-08-14T21:00:00.000000000Z,420,0.0042,0.0365,',
  );
  expect(line).toContain(`/web/charts/price/${String(BUSU26)}?`);
  const [picture] = await filesSavedBy(() => exportAs('PNG'), 1);
  expect(picture?.name).toMatch(/BTC-basis-BUS-2026-05-18-to-2026-08-14-read-.*\.png$/);
  await exportAs('Table');
  await expectToContain(page.getByRole('table'), '+3.65');
});

it('has each cell of the heatmap within reach of the keyboard, with its figure and its source', async () => {
  await openHistory('&as=heatmap');
  await expect.element(cell).toHaveAttribute('aria-label', '30 days, 14 Aug 2026: +3.65 % a year');
  await focusCell();
  await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowLeft');
  await expect.element(cell).toHaveFocus();
  await expect.element(cell).toHaveAttribute('aria-label', 'H27, 13 Aug 2026: +3.65 % a year');
  await press('i');
  await expectToContain(page.getByRole('dialog'), 'Basis × 525600 minutes of 365 days ÷ 324000 minutes to expiry');
  await press('Escape');
  await press('Control+Home');
  await expect.element(cell).toHaveAttribute('aria-label', '30 days, 18 May 2026: +3.65 % a year');
  const [picture] = await filesSavedBy(() => exportAs('PNG'), 1);
  expect(picture?.name).toMatch(/BTC-basis-heatmap-BUS-/);
});

it.each([
  [
    'a settlement of another minute',
    U26,
    { time: '2026-08-14T21:01:00.000Z' },
    'a basis needs both settlements of the same minute.',
  ],
  ['no settlement', U26, { settlementPrice: null }, 'BUSU26 has no settlement of 14 Aug 2026.'],
  [
    'a price ten times wrong',
    U26,
    { settlementPrice: '1004200' },
    'a factor of 10.04: one of the tick sizes must be wrong.',
  ],
  [
    'a perpetual without settlement',
    /price\/5614/,
    { settlementPrice: null },
    'PBTCUCZ50 has no settlement of 14 Aug 2026.',
  ],
])('draws a gap for %s and says why', async (_, product, change, reason) => {
  await openHistory('&as=heatmap', { change: onDay(product, '2026-08-14', change) });
  await focusCell();
  // From 30 days over 90 and 180 days, H27, Z26, X26 and V26.
  await press(...Array.from({ length: 7 }, () => 'ArrowDown'));
  await expect.element(cell).toHaveAttribute('aria-label', expect.stringMatching(/^U26, 14 Aug 2026: /));
  await expect.element(cell).toHaveAttribute('aria-label', expect.stringContaining(reason));
});

it('says which months could not be read, leaves their lines empty, and reads them again', async () => {
  let isDown = true;
  const failed = toProblem('venue-unreachable', 'The connection was refused.');
  await openHistory('&as=heatmap', {
    change: (answer) => (isDown && answer.target.includes(`/price/${String(BUSU26)}`) ? failed(answer) : answer),
  });
  const list = page.getByRole('list', { name: 'Not read' });
  await expectToContain(list, 'BUSU26 is missing: ');
  await expectCount(list.getByRole('listitem'), 1);
  await expect
    .element(cell)
    .toHaveAttribute('aria-label', expect.stringContaining('The prices of BUSU26 could not be read'));
  isDown = false;
  await page.getByRole('button', { name: 'Read 1 month again' }).click();
  await expect.element(cell).toHaveAttribute('aria-label', '30 days, 14 Aug 2026: +3.65 % a year');
  await expectCount(list, 0);
});

it('says how many requests it makes, and how many products are read', async () => {
  const { change, letGo } = holding(U26);
  const opened = openHistory('', { change });
  await expectToContain(main, '9 of 10 products read');
  await expectToContain(
    main,
    '10 requests, one for each of 9 months and one for PBTCUCZ50, for prices from 17 May 2026 on.',
  );
  letGo();
  await opened;
  await expectToContain(main, '30 days: +3.65 % a year');
});

it('says that prices are old, that there are none, and that there is no perpetual', async () => {
  await openHistory('', { change: changing(U26, stale) });
  await expectToContain(main, 'Showing the last good data.');
  await openHistory('', {
    change: changing(
      /price\/5614/,
      toBody(() => []),
    ),
  });
  await expectText(page.getByRole('heading', { name: /^No basis/ }), 'No basis of BUS since 17 May 2026');
  const withoutPerpetual = changing(
    /\/desk\/products$/,
    toRows((row) => (row['symbol'] === 'PBTCUCZ50' ? { ...row, product_status: 'expired' } : row)),
  );
  const { requested } = await openHistory('', { change: withoutPerpetual });
  await expect.element(page.getByRole('heading', { name: 'No perpetual of BTC' })).toBeVisible();
  expect(requested.some((target) => PRICES.test(target))).toBe(false);
});

it.each(['lines', 'heatmap'])('as %s fits windows of any width, and breaks no accessibility rule', async (as) => {
  await openHistory(`&as=${as}`);
  await expectToContain(main, '30 days: +3.65 % a year');
  await expectAccessible('main');
  await expectToFit(320, 390, 760, 1_100, 1_440);
});
