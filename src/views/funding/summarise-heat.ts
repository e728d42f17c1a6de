import { formatRate } from '#domain/format-number.ts';
import type { HeatCell } from '#domain/funding/heat-cells.ts';
import { isTurned, toSide, type FundingSide } from '#domain/funding/my-side.ts';
import type { Perpetual } from './compare-row.ts';

interface SummaryParts {
  readonly perpetuals: readonly Perpetual[];
  /** A row for each perpetual, a cell for each boundary. */
  readonly rows: readonly (readonly HeatCell[])[];
  /** Ends of intervals, oldest first. */
  readonly boundaries: readonly number[];
  readonly side: FundingSide;
  readonly timeText: (epochMillis: number) => string;
}

/** The heatmap in sentences, for those who do not see it. */
export function summariseHeat(parts: SummaryParts): string {
  const { perpetuals, rows, boundaries, timeText } = parts;
  const [from, to] = [boundaries[0], boundaries.at(-1)];
  if (from === undefined || to === undefined) return 'There is no interval.';
  const size = `${toCount(perpetuals.length, 'perpetual')} over ${toCount(boundaries.length, 'interval')} that ended from ${timeText(from)} to ${timeText(to)}.`;
  const prints = listPrints(parts);
  return [size, describePayers(prints), describeGaps(rows.flat()), describeEnds(prints, parts)].join(' ');
}

function toCount(count: number, what: string): string {
  return `${String(count)} ${what}${count === 1 ? '' : 's'}`;
}

interface Print {
  readonly perpetual: Perpetual;
  readonly end: number;
  readonly index: number;
  /** To count and to order by. */
  readonly drawn: number;
}

function listPrints({ perpetuals, rows, boundaries }: SummaryParts): readonly Print[] {
  return perpetuals.flatMap((perpetual, row) =>
    (rows[row] ?? []).flatMap((cell, column): readonly Print[] =>
      cell.kind === 'print' ? [{ perpetual, index: cell.index, end: boundaries[column] ?? 0, drawn: perpetual.series.drawn[cell.index] ?? 0 }] : [],
    ),
  );
}

function describePayers(prints: readonly Print[]): string {
  const count = (sign: number): string => String(prints.filter(({ drawn }) => Math.sign(drawn) === sign).length);
  return `Longs paid in ${count(1)} of ${toCount(prints.length, 'print')}, shorts in ${count(-1)}, nobody in ${count(0)}.`;
}

/** Never silent: that nothing is missing is told as well. */
function describeGaps(cells: readonly HeatCell[]): string {
  const count = (...kinds: readonly HeatCell['kind'][]): number => cells.filter(({ kind }) => kinds.includes(kind)).length;
  const gaps = [
    ['missing', count('hole')],
    ['without a print that counts', count('fault')],
    ['not listed, not read or not settled yet', count('not listed', 'not read', 'not settled')],
  ] as const;
  const told = gaps.filter(([, many]) => many > 0).map(([what, many]) => `${String(many)} ${what}`);
  return told.length === 0 ? 'No interval is missing.' : `Other intervals: ${told.join(', ')}.`;
}

function describeEnds(prints: readonly Print[], { side, timeText }: SummaryParts): string {
  const ordered = prints.toSorted((a, b) => (isTurned(side) ? b.drawn - a.drawn : a.drawn - b.drawn));
  const [lowest, highest] = [ordered[0], ordered.at(-1)];
  if (lowest === undefined || highest === undefined) return 'There is no rate.';
  const tell = ({ perpetual: { symbol, series }, index, end }: Print): string => `${formatRate(toSide(series.rate(index), side))} % per 8 h, ${symbol} at ${timeText(end)}`;
  return `Highest ${tell(highest)}; lowest ${tell(lowest)}.`;
}
