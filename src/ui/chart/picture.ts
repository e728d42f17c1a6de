import type { Fact } from '../fact-list.tsx';

/** A colour by what it means; each theme and palette has its own for it. */
export type Ink = 'up' | 'down' | 'accent' | 'muted' | 'faint' | SeriesInk;
export const SERIES_INKS = ['series-1', 'series-2', 'series-3', 'series-4', 'series-5', 'series-6', 'series-7', 'series-8'] as const;
export type SeriesInk = (typeof SERIES_INKS)[number];
export const INKS: readonly Ink[] = ['up', 'down', 'accent', 'muted', 'faint', ...SERIES_INKS];

export interface Candle {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Stands for a bar that there is not: drawn flat and grey. */
  readonly flat?: boolean;
}

/** A date as `YYYY-MM-DD`, or a moment in epoch seconds: one kind in a picture. */
export type ChartTime = string | number;

/** One value for each time of the picture. Null is a gap, never zero and never bridged. */
export type Series =
  | { readonly kind: 'candles'; readonly values: readonly (Candle | null)[] }
  | LineSeries
  | ColumnSeries;

interface ColumnSeries {
  readonly kind: 'columns';
  readonly ink: Ink;
  readonly inks?: readonly Ink[];
  /** As those of a line. */
  readonly steps?: boolean;
  readonly values: readonly (number | null)[];
}

interface LineSeries {
  readonly kind: 'line';
  readonly ink: Ink;
  readonly stroke?: 'solid' | 'dashed' | 'dotted';
  /** Each value is of the interval that ends with its time, and drawn from the time before on. */
  readonly steps?: boolean;
  /** It is there, and not seen. */
  readonly hidden?: boolean;
  readonly values: readonly (number | null)[];
}

/** A line across a pane at a value that figures are held against. It is always in sight. */
export interface Level {
  readonly name: string;
  readonly value: number;
  readonly ink: Ink;
}

export interface Pane {
  readonly name: string;
  readonly unit: string;
  /** Of the height, beside the other panes. */
  readonly share: number;
  /** For the axis; exact figures are told by the readouts. */
  readonly format: (value: number) => string;
  /** Later ones are drawn over earlier ones. */
  readonly series: readonly Series[];
  /** Whether its figures can be drawn on a logarithmic scale. */
  readonly logarithmic?: boolean;
  readonly levels?: readonly Level[];
  /** Places of times whose interval has no data, and is hatched. Only panes with levels have them, and marks. */
  readonly hatched?: readonly number[];
  /** Values that are no part of a line: each a hollow mark of its own. */
  readonly outlined?: readonly PointValue[];
}

/** A value at the place of its time. */
export interface PointValue {
  readonly index: number;
  readonly value: number;
}

/** A figure of each time as text, exact: what the legend shows and the table holds. */
export interface Readout {
  readonly name: string;
  /** Where several figures are of one thing: the legend's entry that they share, and what each is called there. */
  readonly entry?: { readonly name: string; readonly figure: string };
  readonly unit: string;
  readonly ink?: Ink;
  readonly stroke?: 'solid' | 'dashed' | 'dotted';
  readonly text: (index: number) => string;
  /** Where the figure comes from; left out where it comes from nowhere. */
  readonly explain?: (index: number) => readonly Fact[];
}

/** All that a chart shows. Every series is as long as the times. */
export interface Picture {
  /** Ascending. */
  readonly times: readonly ChartTime[];
  /** What a time is called: `Session`, `Week from`. */
  readonly timeName: string;
  readonly timeText: (index: number) => string;
  readonly panes: readonly Pane[];
  readonly readouts: readonly Readout[];
}

export type Scale = 'linear' | 'log' | 'percent';
