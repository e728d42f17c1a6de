import type { ChartData, Readout, Series } from '#model/charts/chart-data.ts';
import { NO_VALUE } from '#model/format/number.ts';

/** Groups figures by their legend entry. Most figures have an entry of their own. */
export function toEntries(readouts: readonly Readout[]): ReadonlyMap<string, readonly [Readout, ...Readout[]]> {
  const entries = new Map<string, [Readout, ...Readout[]]>();
  for (const readout of readouts) {
    const name = readout.entry?.name ?? readout.name;
    const before = entries.get(name);
    if (before === undefined) entries.set(name, [readout]);
    else before.push(readout);
  }
  return entries;
}

/** Enough samples to find the usual width of figures that no series draws. */
const SAMPLES = 24;

/**
 * Finds the bars whose texts may be the widest: the extremes of each series, a sample between them, and the last bar,
 * which may be in progress.
 */
export function findWidestBars({ times, panes }: Pick<ChartData, 'times' | 'panes'>): readonly number[] {
  const step = Math.max(1, Math.floor(times.length / SAMPLES));
  const sample = times.flatMap((_, index) => (index % step === 0 ? [index] : []));
  const bars = [...sample, ...panes.flatMap(({ series }) => series.flatMap(findExtremes)), times.length - 1];
  return [...new Set(bars)].filter((bar) => bar >= 0 && bar < times.length);
}

/** Returns the longest text among these bars. Formatting all bars would take longer than drawing the chart. */
export function widestOf(text: (index: number) => string, bars: readonly number[]): string {
  return bars.reduce((widest, bar) => {
    const here = text(bar);
    return here.length > widest.length ? here : widest;
  }, '');
}

function findExtremes(series: Series): readonly number[] {
  if (series.kind !== 'candles') return [...findEnds(series.values), ...findEnds(changesOf(series.values))];
  const marked = (series.outliers ?? []).map(({ index }) => index);
  return [
    ...marked,
    ...findEnds(series.values.map((candle) => candle?.low)),
    ...findEnds(series.values.map((candle) => candle?.high)),
  ];
}

/** Returns each value’s change from the one before, as a share of that. */
function changesOf(values: readonly (number | null)[]): readonly (number | null)[] {
  let before: number | null = null;
  return values.map((value) => {
    const change: number | null = value === null || before === null ? null : (value - before) / Math.abs(before);
    before = value ?? before;
    return change;
  });
}

/** Returns the indices of the smallest and the largest value. */
function findEnds(values: readonly (number | null | undefined)[]): readonly number[] {
  let [least, most] = [0, 0];
  values.forEach((value, index) => {
    if ((value ?? Infinity) < (values[least] ?? Infinity)) least = index;
    if ((value ?? -Infinity) > (values[most] ?? -Infinity)) most = index;
  });
  return [least, most];
}

/** The bars that the legend shows while the pointer is outside the chart. */
export interface LegendBars {
  /** The newest bar of most figures. */
  readonly bar: number;
  /** Returns a figure’s own newest bar, or `bar` if it has no recent value. */
  readonly barOf: (readout: Readout) => number;
}

/** A figure may be this many bars behind the others; one further behind has ended, like that of an expired product. */
const MAX_BARS_BEHIND = 5;

/**
 * Finds the bars of the legend. Not every figure has a value for the newest bar: some are published a day later, and an
 * interval in progress has only a predicted rate.
 */
export function findLegendBars({ times, readouts }: Pick<ChartData, 'times' | 'readouts'>): LegendBars {
  const newest = new Map(
    readouts.map((readout) => [readout, times.findLastIndex((_, index) => readout.text(index) !== NO_VALUE)]),
  );
  const last = Math.max(...newest.values());
  const isRecent = (index: number): boolean => index >= 0 && index >= last - MAX_BARS_BEHIND;
  const recent = readouts
    .flatMap((readout) => (readout.isSettledOnly === true ? [] : (newest.get(readout) ?? [])))
    .filter(isRecent)
    .sort((a, b) => a - b);
  const bar = recent[Math.floor(recent.length / 2)] ?? times.length - 1;
  return {
    bar,
    barOf: (readout) => {
      const own = newest.get(readout) ?? bar;
      return isRecent(own) ? own : bar;
    },
  };
}
