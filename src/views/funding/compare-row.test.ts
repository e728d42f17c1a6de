import { describe, expect, it } from 'vitest';
import type { Answer } from '#api/answer.ts';
import type { DeskFunding } from '#contract/desk-funding.ts';
import { boundaryAt, printAt, toWirePrints, type WrittenPrint } from '#testing/funding-prints.ts';
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
    expect(rankRows(rows, 'rate').map(({ symbol, rank }) => [symbol, rank])).toEqual([['HALTED', null], ['LOW', 2], ['HIGH', 1]]);
    expect(rankRows(rows, 'premium').map(({ rank }) => rank)[0]).toBeNull();
    expect(rows.map(({ settledBefore }) => settledBefore)).toEqual([
      'Its last print ended 2026-06-02 08:00 UTC; others have settled up to 2026-06-08 00:00 UTC, so it has no rank among them.',
      null,
      null,
    ]);
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
