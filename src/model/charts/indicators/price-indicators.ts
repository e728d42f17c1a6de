import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import { toBollingerBands } from './bollinger-bands.ts';
import { toDrawdowns } from './drawdown.ts';
import { type Fixed, toFixed } from './fixed-point.ts';
import type { PRICE_INDICATORS } from './indicator-spec.ts';
import { toMacd } from './macd.ts';
import { toExponentialAverages, toSimpleAverages } from './moving-averages.ts';
import { toVolatilities } from './realised-volatility.ts';
import { toRelativeStrength } from './relative-strength.ts';
import { type BarsAYear, type Run, type SettledSlots, toRuns } from './settled-bars.ts';
import { toAverageTrueRanges } from './true-range.ts';

export type PriceIndicator = (typeof PRICE_INDICATORS)[number];

/** One line of an indicator, with a value or null for each slot of the chart. */
export interface ComputedLine {
  /** Its name within the indicator; null if that has one line only. */
  readonly figure: string | null;
  readonly values: readonly (Fixed | null)[];
  /** The bar of a run that has the first value, counted from 1. */
  readonly firstBar: number;
  readonly column: CsvColumn;
}

export interface ComputedIndicator {
  readonly lines: readonly ComputedLine[];
  /** For each slot, the place of its bar in its run, counted from 1; null if it is in none. */
  readonly places: readonly (number | null)[];
  /** The bars of the longest run. */
  readonly longest: number;
}

interface Inputs {
  readonly slots: SettledSlots;
  readonly barsAYear: BarsAYear | null;
}

type Values = readonly (Fixed | null)[];

interface Computation {
  /** Whether settlements at or below zero have no value. */
  readonly isAbove?: boolean;
  readonly lines: (parameters: readonly string[]) => readonly Omit<ComputedLine, 'values'>[];
  /** Returns the values of each line for the bars of a run. */
  readonly compute: (run: Run, parameters: readonly string[], barsAYear: BarsAYear | null) => readonly Values[];
}

const settlementsOf = (run: Run): readonly Fixed[] => run.map(({ settlement }) => settlement);

const COMPUTATIONS: Readonly<Record<PriceIndicator, Computation>> = {
  sma: {
    lines: ([bars]) => [{ figure: null, firstBar: Number(bars), column: `sma_${Number(bars)}_usd` }],
    compute: (run, [bars]) => [toSimpleAverages(settlementsOf(run), Number(bars))],
  },
  ema: {
    lines: ([bars]) => [{ figure: null, firstBar: Number(bars), column: `ema_${Number(bars)}_usd` }],
    compute: (run, [bars]) => [toExponentialAverages(settlementsOf(run), Number(bars))],
  },
  bb: {
    lines: ([bars, deviations]) =>
      (['upper', 'middle', 'lower'] as const).map((figure) => ({
        figure,
        firstBar: Number(bars),
        column: `bollinger_${Number(bars)}_${Number(deviations)}_${figure}_usd`,
      })),
    compute: (run, [bars, deviations = '']) => {
      const { upper, middle, lower } = toBollingerBands(settlementsOf(run), Number(bars), toFixed(deviations));
      return [upper, middle, lower];
    },
  },
  rsi: {
    lines: ([bars]) => [{ figure: null, firstBar: Number(bars) + 1, column: `rsi_${Number(bars)}_percent` }],
    compute: (run, [bars]) => [toRelativeStrength(settlementsOf(run), Number(bars))],
  },
  macd: {
    lines: (parameters) => {
      const [fast, slow, signal] = parameters.map(Number) as [number, number, number];
      const column = `macd_${fast}_${slow}_${signal}` as const;
      return [
        { figure: 'line', firstBar: slow, column: `${column}_usd` },
        { figure: 'signal', firstBar: slow + signal - 1, column: `${column}_signal_usd` },
        { figure: 'difference', firstBar: slow + signal - 1, column: `${column}_difference_usd` },
      ];
    },
    compute: (run, parameters) => {
      const all = parameters.map(Number) as [number, number, number];
      const { line, signal, difference } = toMacd(settlementsOf(run), all);
      return [line, signal, difference];
    },
  },
  atr: {
    lines: ([bars]) => [{ figure: null, firstBar: Number(bars) + 1, column: `atr_${Number(bars)}_usd` }],
    compute: (run, [bars]) => [toAverageTrueRanges(run, Number(bars))],
  },
  vol: {
    isAbove: true,
    lines: ([bars]) => [
      { figure: null, firstBar: Number(bars) + 1, column: `volatility_${Number(bars)}_per_year_percent` },
    ],
    compute: (run, [bars], barsAYear) => [
      barsAYear === null ? run.map(() => null) : toVolatilities(settlementsOf(run), Number(bars), barsAYear.count),
    ],
  },
  dd: {
    isAbove: true,
    lines: () => [{ figure: null, firstBar: 1, column: 'drawdown_percent' }],
    compute: (run) => [toDrawdowns(settlementsOf(run))],
  },
};

/** Computes an indicator for every slot of a chart. Each run begins anew. */
export function computeIndicator(
  kind: PriceIndicator,
  parameters: readonly string[],
  { slots, barsAYear }: Inputs,
): ComputedIndicator {
  const { lines, compute, isAbove = false } = COMPUTATIONS[kind];
  const named = lines(parameters);
  const values = named.map(() => new Array<Fixed | null>(slots.length).fill(null));
  const places = new Array<number | null>(slots.length).fill(null);
  const runs = toRuns(slots, { isAbove });
  for (const run of runs) {
    const found = compute(run, parameters, barsAYear);
    run.forEach(({ index }, place) => {
      places[index] = place + 1;
      for (const [line, all] of values.entries()) all[index] = found[line]?.[place] ?? null;
    });
  }
  return {
    lines: named.map((line, place) => ({ ...line, values: values[place] ?? [] })),
    places,
    longest: Math.max(0, ...runs.map(({ length }) => length)),
  };
}
