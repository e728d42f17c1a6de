import { NO_VALUE } from '#domain/format-number.ts';
import type { Picture, Readout } from './picture.ts';

/** Which bars the legend tells of while none is pointed at. */
export interface AtRest {
  /** The newest of most figures. */
  readonly bar: number;
  /** A figure's own newest; that of most where it has none, or none of late. */
  readonly barOf: (readout: Readout) => number;
}

/** A figure may come some bars later than others; one that is further behind has ended, as that of an expired product has. */
const MOST_BEHIND = 5;

/** Not all figures are there for the newest bar: some come a day later, and an interval in progress has an estimate only. */
export function findAtRest({ times, readouts }: Pick<Picture, 'times' | 'readouts'>): AtRest {
  const newest = new Map(readouts.map((readout) => [readout, times.findLastIndex((_, index) => readout.text(index) !== NO_VALUE)]));
  const last = Math.max(...newest.values());
  const isOfLate = (index: number): boolean => index >= 0 && index >= last - MOST_BEHIND;
  const told = [...newest.values()].filter(isOfLate).sort((a, b) => a - b);
  const bar = told[Math.floor(told.length / 2)] ?? times.length - 1;
  return {
    bar,
    barOf: (readout) => {
      const own = newest.get(readout) ?? bar;
      return isOfLate(own) ? own : bar;
    },
  };
}
