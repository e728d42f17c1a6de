import { expect, it } from 'vitest';
import type { ApiResponse } from '../../response.ts';
import type { RunningChange } from '../../price/running-session.ts';
import { toDecimal } from '../../units/decimal.ts';
import type { ComparedProduct } from './compared-sessions.ts';
import { toComparisonCsv } from './comparison-csv.ts';

const response = {
  target: '/api/web/charts/price/1',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 3,
  cache: 'hit',
  requestId: 'r-1',
} as ApiResponse<unknown>;

function product(name: string, ...days: readonly (readonly [string, string])[]): ComparedProduct {
  const value = days.map(([date, settlementPrice]) => ({ date, time: `${date}T22:00:00Z`, ohlc: {}, settlementPrice }));
  return { name, product: null, prices: { ...response, value } as unknown as ComparedProduct['prices'], running: null };
}

const first = product(
  'A',
  ['2026-03-01', '10'],
  ['2026-03-02', '20.0000000000'],
  ['2026-03-03', '30'],
  ['2026-03-04', '40'],
);
const second = product('B', ['2026-03-02', '4'], ['2026-03-03', '6']);

it('has a row for each product and session, figures without padding, and an index between the first and the last common session', () => {
  const text = toComparisonCsv([first, second]);
  const lines = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(','));
  expect(lines.map((line) => [...line.slice(0, 5), line[11]])).toEqual([
    ['2026-03-01', 'A', '10', '', '2026-03-02', 'published'],
    ['2026-03-02', 'A', '20', '100', '2026-03-02', 'published'],
    ['2026-03-03', 'A', '30', '150', '2026-03-02', 'published'],
    ['2026-03-04', 'A', '40', '', '2026-03-02', 'published'],
    ['2026-03-02', 'B', '4', '100', '2026-03-02', 'published'],
    ['2026-03-03', 'B', '6', '150', '2026-03-02', 'published'],
  ]);
  expect(text).toContain('GET /api/web/charts/price/1,,1970-01-01T00:00:00.000000000Z,3,hit,r-1');
});

it('the running session has no settlement, the index of its last price, and its own source, if both have one', () => {
  const source = { ...response, target: '/api/product/data/1' };
  const fraction = { value: toDecimal('0.1'), provenance: { kind: 'read', source } };
  const since = (day: string) => ({ date: '2026-03-05', since: day, fraction }) as unknown as RunningChange;
  const ofRunning = (...products: Parameters<typeof toComparisonCsv>[0]) =>
    toComparisonCsv(products)
      .split('\r\n')
      .filter((line) => line.includes(',running session,'));
  const provenance = 'GET /api/product/data/1,,1970-01-01T00:00:00.000000000Z,3,hit,r-1,running session';
  expect(ofRunning({ ...first, running: since('2026-03-04') }, { ...second, running: since('2026-03-03') })).toEqual([
    `2026-03-05,A,,220,2026-03-02,${provenance},,,,,,`,
    expect.stringContaining(`2026-03-05,B,,165,2026-03-02,${provenance},A,-37.4,0.15,,`),
  ]);
  expect(ofRunning({ ...first, running: since('2026-03-04') }, second)).toEqual([]);
});

it('has the figures of all panes, and why there is no basis', () => {
  const ofType = (type: string, each: ComparedProduct, more: object = {}) =>
    ({ ...each, product: { type, contract_size_unit: 'BTC', ...more } }) as unknown as ComparedProduct;
  const perpetual = ofType('perpetual', first);
  const dearer = product('B', ['2026-03-02', '21'], ['2026-03-03', '31.5']);
  const expiry = { final_settle_time: '2026-03-06T10:00:00Z' };
  const lines = toComparisonCsv([perpetual, ofType('future', dearer, expiry)], { form: 'figures' }).split('\r\n');
  expect(lines[0]).toMatch(
    /,bar,compared_with_symbol,difference_usd,ratio,basis_per_year_percent,basis_missing_because,basis_over_symbol$/,
  );
  expect(lines.slice(5, 7)).toEqual([
    // (21 ÷ 20 − 1) × 365 ÷ 3.5 days
    '2026-03-02,B,21,100,2026-03-02,published,A,1,1.05,521.4285714286,,A',
    '2026-03-03,B,31.5,150,2026-03-02,published,A,1.5,1.05,,' +
      '"B expires 2 days after its settlement of 3 Mar 2026, on 6 Mar 2026, 10:00 UTC: a basis is not scaled to a year under 3 days.",A',
  ]);
});

it('by weeks, has the last common session of each, as the screen has', () => {
  const lines = toComparisonCsv([first, second], { period: '1W', form: 'figures' }).split('\r\n');
  expect(lines.slice(1, -1).map((line) => line.split(',').slice(0, 6).join())).toEqual([
    '2026-03-03,A,30,100,2026-03-03,last session of 1W',
    '2026-03-03,B,6,100,2026-03-03,last session of 1W',
  ]);
});
