import { expect, it } from 'vitest';
import type { MarketRow } from '../../markets/market-rows.ts';
import { completeColumns } from './complete-columns.ts';
import { type MarketColumn, figureCells } from './figure-cells.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const clock = { read: () => NOW, subscribe: () => () => undefined };
const cells = { ...figureCells({ read: () => null }), text: () => '−0.1110' };
const columns: readonly MarketColumn[] = [{ id: 'estimate', title: 'Predicted', width: 98, ...cells }];

/** A row whose predicted rate was read so many seconds ago, of which it was cached for the first. */
function rowOf(receivedAgo: number, ageSeconds: number): MarketRow {
  const source = { receivedAt: NOW - receivedAgo * 1_000, ageSeconds };
  return { funding: { estimate: { provenance: { kind: 'read', source } } } } as unknown as MarketRow;
}

it('a predicted rate has the minutes since it was read before it, but not when it is copied', () => {
  const [predicted] = completeColumns(columns, clock);
  expect([rowOf(20, 30), rowOf(20, 290), rowOf(1_430, 10)].map((row) => predicted?.text(row))).toEqual([
    '−0.1110',
    '5m −0.1110',
    '24m −0.1110',
  ]);
  expect(predicted?.copied?.(rowOf(20, 290))).toBe('−0.1110');
});
