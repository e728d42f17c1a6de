import type { Decimal } from '../../units/decimal.ts';
import { findAfter, type FundingWindow, listFundingTimes } from '../../funding/funding-window.ts';
import { type FundingSide, signOf, toSide } from '../../funding/funding-side.ts';
import { INTERVALS_PER_YEAR, toAprOfSum } from '../../funding/funding-rate.ts';
import type { PerpetualSeries } from '../../tables/funding/perpetual-series.ts';
import type { Measure } from '../../tables/funding/compare-params.ts';

/** A perpetual over the times of a chart. */
interface RateLine {
  readonly symbol: string;
  /** In percent, to draw; null where there is no settled rate. */
  readonly values: readonly (number | null)[];
  /** Funding times after this one, up to `expectedTo`, should have a settled rate. */
  readonly expectedFrom: number;
  readonly expectedTo: number;
  /** Place of the window’s first settled rate in the history. */
  readonly first: number;
  /** Place of the settled rate that a bar shows; null where it has none. */
  readonly placeAt: (index: number) => number | null;
  /** Exact, as a fraction. */
  readonly read: (index: number) => Decimal | null;
}

export interface RateLines {
  /** Funding times, in epoch milliseconds. */
  readonly ends: readonly number[];
  /** The same in seconds. */
  readonly times: readonly number[];
  readonly measure: Measure;
  readonly side: FundingSide;
  readonly lines: readonly RateLine[];
}

interface LineParts {
  readonly window: FundingWindow;
  readonly measure: Measure;
  readonly side: FundingSide;
  /** A known funding time: the others are multiples of eight hours away. */
  readonly anchor: number;
}

const PERCENT = 100;

/** A line for each perpetual. Every funding time has a place, so that no line is drawn across a gap. */
export function toRateLines(
  perpetuals: readonly PerpetualSeries[],
  { window, measure, side, anchor }: LineParts,
): RateLines {
  const ends = toEnds(perpetuals, window, anchor);
  const lines = perpetuals.map((perpetual) =>
    toLine(perpetual, { ends, measure, side, first: findAfter(perpetual.series, window.from) }),
  );
  return { ends, times: ends.map((end) => end / 1_000), measure, side, lines };
}

/** The regular funding times, and irregular ones that the histories contain. */
function toEnds(perpetuals: readonly PerpetualSeries[], window: FundingWindow, anchor: number): readonly number[] {
  const regular = listFundingTimes(window, anchor);
  const known = new Set(regular);
  const others = new Set<number>();
  for (const { series } of perpetuals) {
    for (let at = findAfter(series, window.from), to = findAfter(series, window.to); at < to; at += 1) {
      const end = series.prints[at]?.end ?? 0;
      if (!known.has(end)) others.add(end);
    }
  }
  return others.size === 0 ? regular : [...regular, ...others].sort((a, b) => a - b);
}

interface OneLine extends Pick<LineParts, 'measure' | 'side'> {
  readonly ends: readonly number[];
  readonly first: number;
}

function toLine({ symbol, series }: PerpetualSeries, { ends, measure, side, first }: OneLine): RateLine {
  const factor = signOf(side) * PERCENT * (measure === 'apr' ? INTERVALS_PER_YEAR : 1);
  const places = new Int32Array(ends.length).fill(-1);
  let at = first;
  const values = ends.map((end, index) => {
    if (series.prints[at]?.end !== end) return null;
    places[index] = at;
    at += 1;
    return (measure === 'sum' ? series.sums.drawn(first, at) : (series.drawn[at - 1] ?? 0)) * factor + 0;
  });
  const exact = (place: number): Decimal | null => {
    if (measure === 'sum') return series.sums.sum(first, place + 1);
    return measure === 'apr' ? toAprOfSum(series.rate(place), 1) : series.rate(place);
  };
  const placeAt = (index: number): number | null => {
    const place = places[index] ?? -1;
    return place < 0 ? null : place;
  };
  const read = (index: number): Decimal | null => {
    const place = placeAt(index);
    const value = place === null ? null : exact(place);
    return value === null ? null : toSide(value, side);
  };
  return {
    symbol,
    values,
    expectedFrom: series.expectedFrom,
    expectedTo: series.expectedTo ?? -Infinity,
    first,
    placeAt,
    read,
  };
}
