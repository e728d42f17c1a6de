import type { Fact } from '../format/provenance.ts';

/** A colour by its meaning; theme and palette define its value. */
export type Ink = 'up' | 'down' | 'accent' | 'muted' | 'faint' | SeriesInk;
export const SERIES_INKS = [
  'series-1',
  'series-2',
  'series-3',
  'series-4',
  'series-5',
  'series-6',
  'series-7',
  'series-8',
] as const;
export type SeriesInk = (typeof SERIES_INKS)[number];
export const INKS: readonly Ink[] = ['up', 'down', 'accent', 'muted', 'faint', ...SERIES_INKS];

export interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** A placeholder for a session without trades, drawn flat and grey. */
  readonly flat?: boolean;
  /** A candle that is not final, drawn as an outline in its own colour; hollow or filled like the others. */
  readonly unfinished?: boolean;
}

/** A date as `YYYY-MM-DD`, or an instant in epoch seconds. A chart uses one kind only. */
export type ChartTime = string | number;

/** One value for each time of the chart. Null is a gap, which is never drawn as zero and never bridged. */
export type Series = CandleSeries | LineSeries | ColumnSeries;

interface CandleSeries {
  readonly kind: 'candles';
  readonly values: readonly (Candle | null)[];
  /** Prices to mark. */
  readonly outliers?: readonly Outlier[];
  /** Indices of bars with a line across the pane; the texts of their times say why. */
  readonly marked?: readonly number[];
}

/** A marked price of a candle, and the end of that candle as drawn. They are equal if the price is within the scale. */
export interface Outlier extends PointValue {
  readonly from: number;
}

interface ColumnSeries {
  readonly kind: 'columns';
  readonly ink: Ink;
  readonly inks?: readonly Ink[];
  /** Drawn faintly, beside what matters more. */
  readonly quiet?: boolean;
  /** As for a line. */
  readonly steps?: boolean;
  readonly values: readonly (number | null)[];
}

interface LineSeries {
  readonly kind: 'line';
  readonly ink: Ink;
  readonly stroke?: 'solid' | 'dashed' | 'dotted';
  /** Each value covers the interval that ends at its time, so it is drawn from the previous time on. */
  readonly steps?: boolean;
  /** Each value holds from its time to the next one. */
  readonly held?: boolean;
  /** Each value is a tick across its bar, and nothing connects it to the next. */
  readonly ticks?: boolean;
  /** Indices of times at which no value can exist, such as weekends: the line spans them. */
  readonly spanned?: ReadonlySet<number>;
  /** The line is in the data but not drawn. */
  readonly hidden?: boolean;
  readonly values: readonly (number | null)[];
}

/** A reference line across a pane. The axis always includes it. */
export interface Level {
  readonly name: string;
  readonly value: number;
  readonly ink: Ink;
}

export interface Pane {
  readonly name: string;
  readonly unit: string;
  /** Share of the chart’s height. */
  readonly share: number;
  /** Whether it is one of many small panes: named in the chart, with its unit, and never too low to be read. */
  readonly slim?: boolean;
  /** Formats axis labels only; readouts show exact figures. */
  readonly format: (value: number) => string;
  /** Later series are drawn over earlier ones. */
  readonly series: readonly Series[];
  /**
   * Named values at the axis, in place of the unnamed last values of the lines. They stay the newest even if the view
   * is zoomed.
   */
  readonly tags?: readonly Level[];
  /** Whether the pane can have a logarithmic scale. */
  readonly logarithmic?: boolean;
  readonly levels?: readonly Level[];
  /** Indices of times whose interval has no data. Hatching and marks need a pane with levels. */
  readonly hatched?: readonly number[];
  /** Values outside any line, each drawn as a hollow mark. */
  readonly outlined?: readonly PointValue[];
}

/** A value at the index of its time. */
export interface PointValue {
  readonly index: number;
  readonly value: number;
}

/** An exact figure for each time, for legend and table. */
export interface Readout {
  readonly name: string;
  /** For figures that share a legend entry: the name of the entry, and of this figure within it. */
  readonly entry?: { readonly name: string; readonly figure: string };
  readonly unit: string;
  readonly ink?: Ink;
  /** The ink of bars that fall, if `ink` is only of those that rise. */
  readonly downInk?: Ink;
  readonly stroke?: 'solid' | 'dashed' | 'dotted';
  readonly text: (index: number) => string;
  /** Whether it exists for settled bars only, so that its newest value says nothing about the newest bar. */
  readonly isSettledOnly?: boolean;
  /** Returns the provenance of the figure; absent if it has none. */
  readonly explain?: (index: number) => readonly Fact[];
}

/** Everything that a chart shows. Every series has as many values as the chart has times. */
export interface ChartData {
  /** Ascending. */
  readonly times: readonly ChartTime[];
  /** Name of the time column: `Session`, `Week of`. */
  readonly timeName: string;
  readonly timeText: (index: number) => string;
  readonly panes: readonly Pane[];
  readonly readouts: readonly Readout[];
}

export type Scale = 'linear' | 'log' | 'percent';

/** Returns the provenance of a figure at a bar, by the name of its readout. */
export type ReadoutProvenance = Readonly<Record<string, (index: number) => readonly Fact[]>>;

/** Adds provenance to the figures of a chart. */
export function withProvenance(chartData: ChartData, provenance: ReadoutProvenance): ChartData {
  return {
    ...chartData,
    readouts: chartData.readouts.map((readout) => {
      const explain = provenance[readout.name];
      return explain === undefined ? readout : { ...readout, explain };
    }),
  };
}

/** Names the newest value of a line; there is none without a value. */
export function tagNewest(name: string, ink: Ink, values: readonly (number | null)[]): readonly Level[] {
  const value = values.findLast((each) => each !== null) ?? null;
  return value === null ? [] : [{ name, value, ink }];
}

/** Converts a pane to percent changes from one base value, so that its series stay comparable. */
export function inPercent(pane: Pane, base: number): Pane {
  const toPercent = (value: number): number => (value / base - 1) * 100;
  const tags = pane.tags?.map((tag) => ({ ...tag, value: toPercent(tag.value) }));
  return {
    ...pane,
    ...(tags && { tags }),
    unit: '%',
    logarithmic: false,
    format: (value) => `${value.toFixed(2).replace('-', '−')} %`,
    series: pane.series.map((one) => map(one, toPercent)),
  };
}

function map(series: Series, to: (value: number) => number): Series {
  if (series.kind !== 'candles')
    return { ...series, values: series.values.map((value) => (value === null ? null : to(value))) };
  const { values, outliers } = series;
  return {
    ...series,
    values: values.map(
      (candle) =>
        candle && {
          ...candle,
          open: to(candle.open),
          high: to(candle.high),
          low: to(candle.low),
          close: to(candle.close),
        },
    ),
    ...(outliers && {
      outliers: outliers.map((point) => ({ ...point, value: to(point.value), from: to(point.from) })),
    }),
  };
}
