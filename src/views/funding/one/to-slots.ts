import type { TimedPrint } from '#domain/funding/find-faults.ts';
import type { FundingSeries } from '#domain/funding/funding-series.ts';
import { findAfter } from '#domain/funding/funding-window.ts';
import { INTERVAL_MS } from '#domain/funding/interval-times.ts';

/** An interval of the chart: its print, or none. */
export interface Slot {
  /** Its end, in epoch milliseconds. */
  readonly end: number;
  readonly print: TimedPrint | null;
}

/** Every interval since a time, oldest first. Where no print counts there is a slot all the same, with nothing in it. */
export function toSlots(series: FundingSeries, from: number): readonly Slot[] {
  const slots: Slot[] = [];
  let covered: number | null = null;
  for (const print of series.prints.slice(findAfter(series, from))) {
    if (covered !== null) slots.push(...toEmptySlots(covered, print.start));
    slots.push({ end: print.end, print });
    covered = print.end;
  }
  if (covered !== null && series.settledTo !== null) slots.push(...toEmptySlots(covered, series.settledTo));
  return slots;
}

function toEmptySlots(from: number, to: number): readonly Slot[] {
  const count = Math.max(0, Math.ceil((to - from) / INTERVAL_MS));
  return Array.from({ length: count }, (_, index) => ({ end: Math.min(from + (index + 1) * INTERVAL_MS, to), print: null }));
}
