import { INTERVAL_MS } from '#domain/funding/interval-times.ts';

interface HeatmapDay {
  /** Column of its first funding time. */
  readonly column: number;
  /** `11-20`. */
  readonly name: string;
}

/** The days that begin within the heatmap, without one above the last column, where its name has no room. */
export function listHeatmapDays(fundingTimes: readonly number[], dayOf: (epochMs: number) => string): readonly HeatmapDay[] {
  return fundingTimes.slice(0, -1).flatMap((end, column) => {
    const day = dayOf(end);
    return day === dayOf(end - INTERVAL_MS) ? [] : [{ column, name: day.slice('2026-'.length) }];
  });
}
