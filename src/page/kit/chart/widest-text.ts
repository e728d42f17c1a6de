import type { Picture, Series } from '#model/charts/picture.ts';

/** Enough to find the usual width of figures that no series draws. */
const SAMPLES = 24;

/** The bars whose texts are the widest: the extremes of each series, a sample between them, and the last one, which may be in progress. */
export function findWidestBars({ times, panes }: Pick<Picture, 'times' | 'panes'>): readonly number[] {
  const step = Math.max(1, Math.floor(times.length / SAMPLES));
  const sample = times.flatMap((_, index) => (index % step === 0 ? [index] : []));
  const bars = [...sample, ...panes.flatMap(({ series }) => series.flatMap(findExtremes)), times.length - 1];
  return [...new Set(bars)].filter((bar) => bar >= 0 && bar < times.length);
}

/** A text is formatted for these bars only: for all of them, it would take longer than to draw the chart. */
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

/** From the value before, as a share of it. */
function changesOf(values: readonly (number | null)[]): readonly (number | null)[] {
  let before: number | null = null;
  return values.map((value) => {
    const change: number | null = value === null || before === null ? null : (value - before) / Math.abs(before);
    before = value ?? before;
    return change;
  });
}

/** Indices of the smallest and of the largest value. */
function findEnds(values: readonly (number | null | undefined)[]): readonly number[] {
  let [least, most] = [0, 0];
  values.forEach((value, index) => {
    if ((value ?? Infinity) < (values[least] ?? Infinity)) least = index;
    if ((value ?? -Infinity) > (values[most] ?? -Infinity)) most = index;
  });
  return [least, most];
}
