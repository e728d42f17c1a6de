import { describe, expect, it } from 'vitest';
import type { Answer } from '#api/answer.ts';
import type { DeskFunding } from '#contract/desk-funding.ts';
import { boundaryAt, printAt, toWirePrints, type WrittenPrint } from '#testing/funding-prints.ts';
import { toDecimal } from '#domain/decimal.ts';
import { createCompareColumns, type ColumnParts } from './compare-columns.ts';
import { toCompareRows, toPerpetuals } from './compare-row.ts';
import { firstToLast, rankRows } from './ranks.ts';
import type { NamedWindow } from './windows.ts';

const funding = { target: '/api/desk/funding', answeredAt: null, receivedAt: 0, ageSeconds: 0, cache: 'memory', requestId: 'r-1' } as unknown as Answer<DeskFunding>;
const chosen = { id: '7d', label: '7 d', from: Date.parse(boundaryAt(0)), to: Date.parse(boundaryAt(21)) } as NamedWindow;

function compare(histories: Readonly<Record<string, readonly WrittenPrint[]>>) {
  const perpetuals = Object.entries(histories).map(([symbol, prints], index) => ({
    ...{ base_symbol: symbol, product_id: index + 1, prints: toWirePrints(prints).toReversed() },
    ...{ known_from: null, reaches_launch: true, read_at: boundaryAt(21), stale_because: null },
  }));
  const told = toPerpetuals({ value: { perpetuals } as unknown as DeskFunding, target: funding.target });
  return toCompareRows(told, { funding, voi: undefined, estimates: new Map(), windows: [chosen], chosen, form: 'apr', side: 'market' });
}

const rows = compare({ HALTED: [printAt(3, '0.004')], LOW: [printAt(20, '0.0001')], HIGH: [printAt(20, '0.0003')] });

describe('a row of the comparison', () => {
  it('has no rank by a print that is older than those of others, and says why', () => {
    expect(rankRows(rows, 'rate').map(({ symbol, rank }) => [symbol, rank])).toEqual([['HALTED', null], ['HIGH', 1], ['LOW', 2]]);
    expect(rankRows(rows, 'premium').map(({ rank }) => rank)[0]).toBeNull();
    expect(rows.map(({ settledBefore }) => settledBefore)).toEqual([
      'Its last print ended 2026-06-02 08:00 UTC; others have settled up to 2026-06-08 00:00 UTC, so it has no rank among them.',
      null,
      null,
    ]);
  });

  it('shares its rank with equal ones; among those it stands by its premium, and then by its name', () => {
    const premiums = { NONE: null, C: '0.001', B: '-0.002', A: '0.001' };
    const equal = compare(Object.fromEntries(Object.keys(premiums).map((symbol) => [symbol, [printAt(20, '0.0001')]])));
    const apart = equal.map((row, at) => {
      const value = Object.values(premiums)[at] ?? null;
      return { ...row, premium: row.premium && { ...row.premium, value: value === null ? null : toDecimal(value) } };
    });
    const ranked = rankRows(apart, 'rate');
    expect(ranked.map(({ symbol, rank }) => [symbol, rank])).toEqual([['A', 1], ['C', 1], ['B', 1], ['NONE', 1]]);
  });

  it('marks what was realised over a window that its prints do not cover, and tells how much they do', () => {
    const parts = { form: 'apr', windows: [chosen], chosen, navigator: {}, clock: {} } as unknown as ColumnParts;
    const sum = createCompareColumns(parts).find(({ id }) => id === 'sum-7d');
    const whole = compare({ WHOLE: Array.from({ length: 21 }, (_, at) => printAt(at, '0.0001')) });
    const told = [...whole, ...rows].map((row) => ({ ...row, rank: null })).map((row) => [sum?.tone?.(row), sum?.explain?.(row)?.facts[0]?.value]);
    expect(told.slice(0, 2)).toEqual([[undefined, expect.any(String)], ['partial', '1 print of the 21 intervals of the window']]);
  });

  it('is first or last of all only with a rank', () => {
    expect(firstToLast(rankRows(rows, 'rate')).map(({ symbol }) => symbol)).toEqual(['HIGH', 'LOW']);
    const none = rows.map((row) => ({ ...row, rank: null }));
    expect(firstToLast(none)).toEqual(none);
  });

  it('tells by how much the mark stood above the index, which is no matter of the rate', () => {
    expect(rows.map(({ premium }) => premium?.value?.toDecimalPlaces(8).toFixed())).toEqual(Array.from({ length: 3 }, () => '0.00005868'));
  });
});
