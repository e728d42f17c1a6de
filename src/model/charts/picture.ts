import type { Fact } from '../format/fact.ts';

/** A colour by its meaning; theme and palette define the value. */
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
  /** Placeholder for a session without trades: drawn flat and grey. */
  readonly flat?: boolean;
  /** Not final: an outline in a colour of its own; hollow or filled as others are. */
  readonly unfinished?: boolean;
}

/** A date as `YYYY-MM-DD`, or an instant in epoch seconds; one kind per picture. */
export type ChartTime = string | number;

/** One value for each time of the picture. Null is a gap, never zero and never bridged. */
export type Series = CandleSeries | LineSeries | ColumnSeries;

interface CandleSeries {
  readonly kind: 'candles';
  readonly values: readonly (Candle | null)[];
  /** Prices that are marked. */
  readonly outliers?: readonly Outlier[];
}

/** A price that a candle has, and the end of the candle as it is drawn: the same where the price is within the scale. */
export interface Outlier extends PointValue {
  readonly from: number;
}

interface ColumnSeries {
  readonly kind: 'columns';
  readonly ink: Ink;
  readonly inks?: readonly Ink[];
  /** As for a line. */
  readonly steps?: boolean;
  readonly values: readonly (number | null)[];
}

interface LineSeries {
  readonly kind: 'line';
  readonly ink: Ink;
  readonly stroke?: 'solid' | 'dashed' | 'dotted';
  /** Each value covers the interval that ends at its time, and is drawn from the previous time on. */
  readonly steps?: boolean;
  /** Indices of times at which there is nothing to have, such as a weekend: the line spans them. */
  readonly spanned?: ReadonlySet<number>;
  /** Present, but not drawn. */
  readonly hidden?: boolean;
  readonly values: readonly (number | null)[];
}

/** A reference line across a pane. It is always within the axis. */
export interface Level {
  readonly name: string;
  readonly value: number;
  readonly ink: Ink;
}

export interface Pane {
  readonly name: string;
  readonly unit: string;
  /** Share of the height. */
  readonly share: number;
  /** For the axis; readouts show exact figures. */
  readonly format: (value: number) => string;
  /** Later series are drawn over earlier ones. */
  readonly series: readonly Series[];
  /** Values named at the axis, in place of the unnamed last values of the lines; where the view is zoomed, they stay the newest. */
  readonly tags?: readonly Level[];
  /** Whether a logarithmic scale is possible. */
  readonly logarithmic?: boolean;
  readonly levels?: readonly Level[];
  /** Indices of times whose interval has no data. Only panes with levels can have hatching and marks. */
  readonly hatched?: readonly number[];
  /** Values outside of any line, each drawn as a hollow mark. */
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
  /** For figures that share a legend entry: its name, and this figure’s name within it. */
  readonly entry?: { readonly name: string; readonly figure: string };
  readonly unit: string;
  readonly ink?: Ink;
  readonly stroke?: 'solid' | 'dashed' | 'dotted';
  readonly text: (index: number) => string;
  /** Provenance of the figure, if it has any. */
  readonly explain?: (index: number) => readonly Fact[];
}

/** Everything a chart shows. Every series is as long as the times. */
export interface Picture {
  /** Ascending. */
  readonly times: readonly ChartTime[];
  /** Name of the time column: `Session`, `Week of`. */
  readonly timeName: string;
  readonly timeText: (index: number) => string;
  readonly panes: readonly Pane[];
  readonly readouts: readonly Readout[];
}

export type Scale = 'linear' | 'log' | 'percent';
