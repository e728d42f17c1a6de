import type { Pane, Series } from './picture.ts';

/** A pane with all series in percent change from the same base value, so that they stay comparable. */
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
