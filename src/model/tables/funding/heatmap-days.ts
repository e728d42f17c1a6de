import { INTERVALS_PER_DAY } from '../../funding/funding-rate.ts';
import { INTERVAL_MS } from '../../funding/interval-times.ts';

interface HeatmapDay {
  /** Column of its first funding time. */
  readonly column: number;
  /** `11-20`. */
  readonly name: string;
}

/** The days that begin within the heatmap, without one above the last column, where its name has no room. */
export function listHeatmapDays(
  fundingTimes: readonly number[],
  dayOf: (epochMs: number) => string,
): readonly HeatmapDay[] {
  return fundingTimes.slice(0, -1).flatMap((end, column) => {
    const day = dayOf(end);
    return day === dayOf(end - INTERVAL_MS) ? [] : [{ column, name: day.slice('2026-'.length) }];
  });
}

interface HeatmapSize {
  readonly columns: number;
  /** Of a column, in CSS pixels. */
  readonly width: number;
}

/** As many of the days as have room for their names, the same number of days apart, the newest of them among these. */
export function keepReadable(days: readonly HeatmapDay[], { columns, width }: HeatmapSize): readonly HeatmapDay[] {
  const step = Math.ceil(NAME_WIDTH / (INTERVALS_PER_DAY * width));
  const within = days.filter(({ column }) => (columns - column) * width >= NAME_WIDTH);
  return within.filter((_, at) => (within.length - 1 - at) % step === 0);
}

/** Of `11-20` with room around it, in CSS pixels. */
const NAME_WIDTH = 40;
