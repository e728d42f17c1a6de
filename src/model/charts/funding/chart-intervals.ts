import type { TimedPrint } from '../../funding/funding-faults.ts';
import type { FundingSeries } from '../../funding/funding-series.ts';
import { findAfter } from '../../funding/funding-window.ts';
import { countIntervals, INTERVAL_MS } from '../../funding/interval-times.ts';

/** An interval of the chart, with its settled rate if one counts. */
export interface ChartInterval {
  /** In epoch milliseconds. */
  readonly end: number;
  readonly print: TimedPrint | null;
}

/** Every interval since a time, oldest first, also those without a settled rate. */
export function toChartIntervals(series: FundingSeries, from: number): readonly ChartInterval[] {
  const prints = series.prints.slice(findAfter(series, from));
  const anchor = prints[0]?.start ?? series.expectedTo ?? from;
  const intervals: ChartInterval[] = [];
  let covered = anchor - countIntervals(from, anchor, anchor) * INTERVAL_MS;
  for (const print of prints) {
    intervals.push(...toEmptyIntervals(covered, print.start), { end: print.end, print });
    covered = print.end;
  }
  return [...intervals, ...toEmptyIntervals(covered, series.expectedTo ?? covered)];
}

function toEmptyIntervals(from: number, to: number): readonly ChartInterval[] {
  const count = Math.max(0, Math.ceil((to - from) / INTERVAL_MS));
  return Array.from({ length: count }, (_, index) => ({
    end: Math.min(from + (index + 1) * INTERVAL_MS, to),
    print: null,
  }));
}
