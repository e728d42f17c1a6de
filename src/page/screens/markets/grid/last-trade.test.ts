import { describe, expect, it } from 'vitest';
import type { MarketRow } from '#model/markets/market-rows.ts';
import { toSortKeys } from '#model/tables/arrange-rows.ts';
import { createLastTradeColumn } from '#model/tables/markets/last-trade-column.ts';
import { explainLastTrade } from '#model/tables/markets/market-tooltips.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const clock = { read: () => NOW - 1_000, subscribe: () => () => undefined };
const column = createLastTradeColumn(clock, (browserNow) => browserNow + 1_000);
const source = {
  endpoint: 'productDataAll',
  target: '/api/product/data/',
  respondedAt: '2026-11-20T11:59:58Z',
  receivedAt: NOW,
  ageSeconds: 1,
  cache: 'miss',
  requestId: 'r-1',
};

function rowOf(lastTime: string | null, changes: object = {}): MarketRow {
  return {
    product: { symbol: 'BUSX26' },
    productId: 1,
    lastTime,
    lastSource: source,
    missingBecause: null,
    ...changes,
  } as unknown as MarketRow;
}

describe('the column of the last trade', () => {
  it.each([
    ['2026-11-20T11:59:30.5Z', '< 1 min', 'quiet'],
    ['2026-11-20T11:55:00Z', '5 min', 'quiet'],
    ['2026-11-20T11:54:59Z', '5 min', undefined],
    ['2026-11-20T07:21:00Z', '4 h', undefined],
    ['2026-11-18T13:00:00Z', '47 h', undefined],
    ['2026-11-18T07:00:00Z', '2 d', undefined],
    ['2026-11-20T12:00:20Z', '< 1 min', 'quiet'],
    ['2026-11-20T13:00:00Z', 'n/a', 'attention'],
    [null, '–', 'quiet'],
  ])('a trade at %s was %s ago by the exchange’s clock', (at, text, tone) => {
    expect([column.text(rowOf(at)), column.tone?.(rowOf(at))]).toEqual([text, tone]);
  });

  it('sorts by age to the nanosecond, without a trade last', () => {
    const rows = ['2026-11-20T11:00:00.000000001Z', null, '2026-11-20T11:00:00.000000002Z', '2026-11-18T07:00:00Z'].map(
      (at) => rowOf(at),
    );
    expect([...toSortKeys(column, rows)]).toEqual([1, NaN, 0, 2]);
  });
});

describe('the provenance of the last trade', () => {
  const factsOf = (row: MarketRow) =>
    Object.fromEntries(explainLastTrade(row, NOW).facts.map(({ name, value }) => [name, value]));

  it('is its time and the field it was read from', () => {
    const row = rowOf('2026-11-20T11:48:00.123456789Z');
    expect(explainLastTrade(row, NOW).title).toBe('BUSX26 last trade: 11 min ago');
    expect(factsOf(row)).toMatchObject({
      'Endpoint': 'GET /api/product/data/',
      'Field': 'last_price_time',
      'Raw value': '2026-11-20T11:48:00.123456789Z',
      'Request ID': 'r-1',
    });
    expect(factsOf(row)['Traded']).toContain('2026-11-20 11:48:00.123456789 UTC');
  });

  it('of a missing time is the reason', () => {
    expect(factsOf(rowOf(null))).toMatchObject({
      'Missing': 'The exchange gives no time of a last trade for this product.',
      'Raw value': 'null',
    });
    expect(factsOf(rowOf(null, { lastSource: null, missingBecause: 'No row.' }))).toEqual({ Missing: 'No row.' });
  });

  it('of a time in the future says so', () => {
    expect(factsOf(rowOf('2026-11-20T13:00:00Z'))).toMatchObject({
      'Not available': 'The exchange dates the last trade in the future, so its age is unknown.',
    });
  });
});
