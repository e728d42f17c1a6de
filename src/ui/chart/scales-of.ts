import type { Scale, Series } from './picture.ts';

/** The scales that series can be drawn on together: nothing is any percent of zero, which the first in sight may be. */
export function scalesOf(series: readonly Series[]): readonly Scale[] {
  return series.some(hasZero) ? ['log'] : ['log', 'percent'];
}

function hasZero(series: Series): boolean {
  return series.kind === 'candles' ? series.values.some((candle) => candle?.close === 0) : series.values.includes(0);
}
