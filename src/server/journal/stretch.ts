import type { Change } from './segment/change.ts';
import type { Orders } from './segment/fold.ts';
import type { ReadingTime, StoredReading } from './journal-store.ts';

/** Readings one after another, with what they showed. */
export interface Stretch {
  /** The reading that `base` is from; of the first stretch, its own first reading. */
  readonly from: number;
  /** The orders before its first reading. */
  readonly base: ReadonlyMap<string, string>;
  readonly readings: readonly ReadingTime[];
  /** In the order in which they were read. */
  readonly changes: readonly Change[];
}

/** The newest stretch, which each reading extends. */
export interface OpenStretch extends Stretch {
  readonly base: Orders;
  readonly readings: StoredReading[];
  readonly changes: Change[];
}

export function openStretch(from: number, base: Orders): OpenStretch {
  return { from, base, readings: [], changes: [] };
}

export function extend(stretch: OpenStretch, reading: StoredReading): void {
  stretch.readings.push(reading);
  // Not spread: a first reading shows more orders than a call takes arguments.
  for (const change of reading.changes) stretch.changes.push(change);
}
