import { countOf, formatCount } from '../../format/count.ts';
import { formatRate } from '../../format/number.ts';
import type { HeatmapCell } from '../../funding/heatmap-cells.ts';
import { type FundingSide, isInverted, toSide } from '../../funding/funding-side.ts';
import type { PerpetualSeries } from './perpetual-series.ts';

interface SummaryParts {
  readonly perpetuals: readonly PerpetualSeries[];
  /** A row for each perpetual, a cell for each funding time. */
  readonly rows: readonly (readonly HeatmapCell[])[];
  /** Oldest first. */
  readonly fundingTimes: readonly number[];
  readonly side: FundingSide;
  readonly timeText: (epochMillis: number) => string;
}

/** The heatmap in sentences, for screen readers. */
export function summariseHeatmap(parts: SummaryParts): string {
  const { perpetuals, rows, fundingTimes, timeText } = parts;
  const [from, to] = [fundingTimes[0], fundingTimes.at(-1)];
  if (from === undefined || to === undefined) return 'No intervals.';
  const size = `${countOf(perpetuals.length, 'perpetual')} over ${countOf(fundingTimes.length, 'interval')}, funding times ${timeText(from)} to ${timeText(to)}.`;
  const prints = listPrints(parts);
  return [size, describePayers(prints), describeGaps(rows.flat()), describeEnds(prints, parts)].join(' ');
}

interface Print {
  readonly perpetual: PerpetualSeries;
  readonly end: number;
  readonly index: number;
  /** To count and to order by. */
  readonly drawn: number;
}

function listPrints({ perpetuals, rows, fundingTimes }: SummaryParts): readonly Print[] {
  return perpetuals.flatMap((perpetual, row) =>
    (rows[row] ?? []).flatMap((cell, column): readonly Print[] =>
      cell.kind === 'print'
        ? [
            {
              perpetual,
              index: cell.index,
              end: fundingTimes[column] ?? 0,
              drawn: perpetual.series.drawn[cell.index] ?? 0,
            },
          ]
        : [],
    ),
  );
}

function describePayers(prints: readonly Print[]): string {
  const count = (sign: number): string => formatCount(prints.filter(({ drawn }) => Math.sign(drawn) === sign).length);
  return `Longs paid in ${count(1)} of ${countOf(prints.length, 'settled interval')}, shorts in ${count(-1)}; the rate was zero in ${count(0)}.`;
}

function describeGaps(cells: readonly HeatmapCell[]): string {
  const count = (...kinds: readonly HeatmapCell['kind'][]): number =>
    cells.filter(({ kind }) => kinds.includes(kind)).length;
  const gaps = [
    ['missing', count('gap')],
    ['without a valid rate', count('fault')],
    ['not yet listed, not yet read or not yet settled', count('not listed', 'not read', 'not settled')],
  ] as const;
  const counts = gaps.filter(([, many]) => many > 0).map(([what, many]) => `${formatCount(many)} ${what}`);
  return counts.length === 0 ? 'No intervals missing.' : `Other intervals: ${counts.join(', ')}.`;
}

function describeEnds(prints: readonly Print[], { side, timeText }: SummaryParts): string {
  const ordered = prints.toSorted((a, b) => (isInverted(side) ? b.drawn - a.drawn : a.drawn - b.drawn));
  const [lowest, highest] = [ordered[0], ordered.at(-1)];
  if (lowest === undefined || highest === undefined) return 'No settled rates.';
  const describe = ({ perpetual: { symbol, series }, index, end }: Print): string =>
    `${formatRate(toSide(series.rate(index), side))} % per 8 h, ${symbol} at ${timeText(end)}`;
  return `Highest ${describe(highest)}; lowest ${describe(lowest)}.`;
}
