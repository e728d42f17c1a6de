import { compareOrderIds, type OrderId } from '#contract/exchange/ids.ts';
import { idTextOf, toId, type Change, type RowText } from './change.ts';

/** What is known of a segment's orders: as they were at its start, and what changed since. */
export interface SegmentRows {
  readonly base: readonly RowText[];
  readonly changes: readonly Change[];
}

/** What a segment holds of one order. */
export interface OrderLife {
  readonly id: string;
  /** One row, or none where the order is newer. A set with an id twice is kept as it is. */
  readonly base: RowText[];
  readonly changes: Change[];
}

/** By order, those of an order as they were given. */
export function toLives({ base, changes }: SegmentRows): readonly OrderLife[] {
  const lives = new Map<string, OrderLife>();
  const lifeOf = (id: string): OrderLife => {
    const known = lives.get(id);
    if (known !== undefined) return known;
    const life = { id, base: [], changes: [] };
    lives.set(id, life);
    return life;
  };
  for (const row of base) lifeOf(toId(idTextOf(row))).base.push(row);
  for (const change of changes) lifeOf(change.id).changes.push(change);
  return [...lives.values()].sort((a, b) => compareOrderIds(a.id as OrderId, b.id as OrderId));
}
