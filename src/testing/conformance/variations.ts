import { every, has, multiplied, rows, set, together, type Row } from './tampering.ts';
import type { Tampering } from './tampering-proxy.ts';

/** Ways for an exchange to be right that ours does not show, each with the checks that must not mind (by the beginning of their titles). */
export interface Variation extends Tampering {
  readonly right: string;
  readonly passes: readonly string[];
}

/** Ids fall where those of our exchange rise. */
function withCoarseTime(row: Row): Row {
  return { ...row, time: `${String(row['time']).slice(0, 10)}T00:00:00Z`, id: String(10n ** 20n - BigInt(String(row['id']))) };
}

export const VARIATIONS: readonly Variation[] = [
  {
    right: 'exactly 10,000 orders rest',
    passes: ['more than 10,000'],
    ...rows('ordersWorking', multiplied(25)),
  },
  {
    right: 'many orders are of one time, and the smallest id is first',
    passes: ['history: order=asc', 'history: pages lose nothing'],
    ...rows('orders', every(withCoarseTime)),
  },
  {
    right: 'every order closes between two questions',
    passes: ['resting orders are in history'],
    ...together(
      rows('ordersWorking', () => []),
      rows('orders', every(set({ status: 'Closed' })), has('begin_time')),
    ),
  },
];
