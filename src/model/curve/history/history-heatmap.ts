import type { Day } from '#contract/exchange/instant.ts';
import type { HeatCell, HeatmapMark } from '../../charts/heatmap.ts';
import type { HistoryLine } from './basis-history.ts';

/** Thresholds of the colours, in percent a year. They are fixed and symmetric, so that views can be compared. */
export const BASIS_STEPS = [2, 5, 10, 20] as const;
const MOST = 20;
const PERCENT = 100;

/** Returns the cells of a line, by its basis a year. Missing ones are hatched; a dot: not listed, or under 3 days. */
export function toHistoryHeat({ cells, drawn: { aYear } }: HistoryLine): readonly HeatCell[] {
  return cells.map((cell, index) => {
    const value = aYear[index] ?? null;
    if (value === null) return { kind: cell === 'missing' ? 'hatched' : 'dotted' };
    const size = Math.abs(value) * PERCENT;
    const strength = BASIS_STEPS.filter((least) => size >= least).length;
    return { kind: 'filled', strength: Math.sign(value) * strength + 0, clipped: size > MOST, isNegative: value < 0 };
  });
}

/** Marks the first session of each month that begins within the history: `2026-03`. */
export function listHistoryMarks(sessions: readonly Day[]): readonly HeatmapMark[] {
  return sessions.flatMap((day, column) => {
    const name = day.slice(0, 'YYYY-MM'.length);
    return column === 0 || sessions[column - 1]?.startsWith(name) === true ? [] : [{ column, name }];
  });
}
