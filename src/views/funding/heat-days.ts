import { INTERVAL_MS } from '#domain/funding/interval-times.ts';

interface HeatDay {
  /** The first of its boundaries, above which it is named. */
  readonly column: number;
  /** `11-20`. */
  readonly name: string;
}

/** The days that begin between the boundaries; not one above the last of them, where its name has no room. */
export function listHeatDays(boundaries: readonly number[], dayOf: (epochMs: number) => string): readonly HeatDay[] {
  return boundaries.slice(0, -1).flatMap((end, column) => {
    const day = dayOf(end);
    return day === dayOf(end - INTERVAL_MS) ? [] : [{ column, name: day.slice('2026-'.length) }];
  });
}
