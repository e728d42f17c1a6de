import type { TimedPrint } from '#domain/funding/find-faults.ts';
import type { FundingSeries } from '#domain/funding/funding-series.ts';
import { findAfter } from '#domain/funding/funding-window.ts';
import { countIntervals, INTERVAL_MS } from '#domain/funding/interval-times.ts';

/** An interval of the chart: its print, or none. */
export interface Slot {
  /** Its end, in epoch milliseconds. */
  readonly end: number;
  readonly print: TimedPrint | null;
}

/** Every interval since a time, oldest first. Where no print counts there is a slot all the same, with nothing in it. */
export function toSlots(series: FundingSeries, from: number): readonly Slot[] {
  const prints = series.prints.slice(findAfter(series, from));
  const [first] = prints;
  if (first === undefined) return [];
  const slots: Slot[] = [];
  let covered = first.start - countIntervals(from, first.start, first.start) * INTERVAL_MS;
  for (const print of prints) {
    slots.push(...toEmptySlots(covered, print.start), { end: print.end, print });
    covered = print.end;
  }
  return [...slots, ...toEmptySlots(covered, series.settledTo ?? covered)];
}

function toEmptySlots(from: number, to: number): readonly Slot[] {
  const count = Math.max(0, Math.ceil((to - from) / INTERVAL_MS));
  return Array.from({ length: count }, (_, index) => ({ end: Math.min(from + (index + 1) * INTERVAL_MS, to), print: null }));
}
