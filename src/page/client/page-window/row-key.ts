import { compareOrderIds, type OrderId } from '#contract/exchange/ids.ts';
import { compareInstants, type Instant } from '#contract/exchange/instant.ts';

/** Sorts and identifies a row: by time to the nanosecond, then by id as an integer. */
export interface RowKey {
  readonly time: Instant;
  readonly id: OrderId;
}

export type Direction = 'asc' | 'desc';

/** Negative where `a` comes before `b` in the list. */
export function compareKeys(a: RowKey, b: RowKey, direction: Direction): number {
  const order = compareInstants(a.time, b.time) || compareOrderIds(a.id, b.id);
  return direction === 'asc' ? order : -order;
}

export function toRowKey({ time, id }: RowKey): RowKey {
  return { time, id };
}
