import { NO_VALUE } from '#model/format/number.ts';
import type { Picture, Readout } from '#model/charts/picture.ts';

/** The bars that the legend shows while the pointer is outside the chart. */
export interface LegendBars {
  /** The newest bar of most figures. */
  readonly bar: number;
  /** A figure’s own newest bar; `bar` where it has no recent value. */
  readonly barOf: (readout: Readout) => number;
}

/** A figure may be some bars behind the others; one further behind has ended, like that of an expired product. */
const MAX_BARS_BEHIND = 5;

/** Not every figure has a value for the newest bar: some are published a day later, and an interval in progress has an estimate only. */
export function findLegendBars({ times, readouts }: Pick<Picture, 'times' | 'readouts'>): LegendBars {
  const newest = new Map(
    readouts.map((readout) => [readout, times.findLastIndex((_, index) => readout.text(index) !== NO_VALUE)]),
  );
  const last = Math.max(...newest.values());
  const isRecent = (index: number): boolean => index >= 0 && index >= last - MAX_BARS_BEHIND;
  const recent = [...newest.values()].filter(isRecent).sort((a, b) => a - b);
  const bar = recent[Math.floor(recent.length / 2)] ?? times.length - 1;
  return {
    bar,
    barOf: (readout) => {
      const own = newest.get(readout) ?? bar;
      return isRecent(own) ? own : bar;
    },
  };
}
