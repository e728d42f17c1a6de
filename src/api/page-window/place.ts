import { compareOrderIds, type OrderId } from '#contract/ids.ts';
import { compareInstants, type Instant } from '#contract/instant.ts';

/** What a row is ordered and told apart by: its time to the nanosecond, then its id as the integer it is. */
export interface Place {
  readonly time: Instant;
  readonly id: OrderId;
}

export type Direction = 'asc' | 'desc';

/** Negative where `a` is read before `b`. */
export function compareInReading(a: Place, b: Place, direction: Direction): number {
  const order = compareInstants(a.time, b.time) || compareOrderIds(a.id, b.id);
  return direction === 'asc' ? order : -order;
}

export function toPlace({ time, id }: Place): Place {
  return { time, id };
}
