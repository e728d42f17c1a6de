import { countOf } from '../../format/count.ts';
import { describeFigure } from '../../format/provenance.ts';
import type { FundingSpread } from '../../funding/funding-spread.ts';
import { deriveQuantity, type Quantity } from '../../units/quantity.ts';
import type { Source } from '../../response.ts';
import type { ChartData, ReadoutProvenance } from '../chart-data.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { type PerpetualSeries, toRateQuantity } from '../../funding/funding-series.ts';
import type { Decimal } from '../../units/decimal.ts';
import { formatPercent } from '../../format/number.ts';
import { type FundingWindow, listFundingTimes } from '../../funding/funding-window.ts';
import { formatAxis } from '../../tables/funding/rate-text.ts';

interface SpreadInputs {
  readonly window: FundingWindow;
  readonly anchor: number;
  readonly timeText: (epochMillis: number) => string;
}

const SPREAD = 'Spread received';
const RATE = { digits: 4, signed: true };

/** Chart data, with the index of each bar in the spread. */
interface SpreadChartData {
  readonly chartData: ChartData;
  /** Index of a bar among the common intervals; null if either leg lacks a settled rate. */
  readonly placeAt: (index: number) => number | null;
  /** Index of the first common interval in the window. */
  readonly first: number;
}

/**
 * Draws what the position received in each interval that both legs settled and, below it, the running sum. Both are
 * positive if the position receives.
 */
export function toSpreadChartData(
  { common, sums, difference, expectedFrom, expectedTo }: FundingSpread,
  { window, anchor, timeText }: SpreadInputs,
): SpreadChartData {
  const places = new Map(common.map(({ end }, index) => [end, index]));
  const ends = listEnds(common, window, anchor);
  const first = common.findIndex(({ end }) => end > window.from);
  const at = ends.map((end) => places.get(end) ?? null);
  const hatched =
    first < 0
      ? []
      : ends.flatMap((end, index) => (at[index] === null && end > expectedFrom && end <= expectedTo ? [index] : []));
  const receivedAt = (place: number): Decimal => invert(difference(place));
  const carryAt = (place: number): Decimal => invert(sums.sum(first, place + 1));
  const placeAt = (index: number): number | null => at[index] ?? null;
  const read = (index: number, exact: (place: number) => Decimal): Decimal | null => {
    const place = placeAt(index);
    return place === null ? null : exact(place);
  };
  const level = { name: 'zero', value: 0, ink: 'muted' } as const;
  const format = (value: number): string => formatAxis(value, 4);
  const chartData: ChartData = {
    times: ends.map((end) => end / 1_000),
    timeName: 'Funding time',
    timeText: (index) => timeText(ends[index] ?? 0),
    panes: [
      {
        ...{ name: SPREAD, unit: '% per 8 h', share: 3, format, levels: [level], hatched },
        series: [
          {
            kind: 'line',
            ink: 'series-1',
            steps: true,
            values: at.map((place) => (place === null ? null : 0 - sums.drawn(place, place + 1) * 100)),
          },
        ],
      },
      {
        ...{ name: 'Cumulative carry', unit: '% of one leg', share: 2, format, levels: [level] },
        series: [
          {
            kind: 'line',
            ink: 'series-2',
            values: at.map((place) => (place === null ? null : 0 - sums.drawn(first, place + 1) * 100)),
          },
        ],
      },
    ],
    readouts: [
      {
        name: SPREAD,
        unit: '% per 8 h',
        ink: 'series-1',
        text: (index) => formatPercent(read(index, receivedAt), RATE),
      },
      {
        name: 'Cumulative carry',
        unit: '% of one leg',
        ink: 'series-2',
        text: (index) => formatPercent(read(index, carryAt), RATE),
      },
    ],
  };
  return { chartData, placeAt, first };
}

/** Negates a value without producing a negative zero. */
export function invert(value: Decimal): Decimal {
  return value.isZero() ? value : value.negated();
}

function listEnds(common: FundingSpread['common'], window: FundingWindow, anchor: number): readonly number[] {
  const regular = listFundingTimes(window, anchor);
  const known = new Set(regular);
  const others = common.flatMap(({ end }) => (end > window.from && end <= window.to && !known.has(end) ? [end] : []));
  return others.length === 0 ? regular : [...regular, ...others].sort((a, b) => a - b);
}

interface Legs {
  readonly long: PerpetualSeries;
  readonly short: PerpetualSeries;
}

interface SpreadPlaces {
  /** Index of a bar among the common intervals; null if it has none. */
  readonly placeAt: (index: number) => number | null;
  readonly first: number;
}

export function createSpreadProvenance(
  { common, sums }: FundingSpread,
  { long, short }: Legs,
  { placeAt, first }: SpreadPlaces,
  source: Source,
): ReadoutProvenance {
  const legsAt = (place: number): readonly Quantity[] => {
    const at = common[place];
    return at === undefined
      ? []
      : [toRateQuantity(long, at.long, source), toRateQuantity(short, at.short, source)].flatMap((rate) => rate ?? []);
  };
  const provenance = (read: (place: number) => Quantity) => (index: number) => {
    const place = placeAt(index);
    return describeFigure(place === null ? null : read(place), formatInAllZones);
  };
  return {
    [SPREAD]: provenance((place) =>
      deriveQuantity(
        'per interval',
        `Rate of ${short.symbol}, which the short leg receives, − rate of ${long.symbol}, which the long leg pays.`,
        legsAt(place),
        ([a, b]) => (a && b ? b.minus(a) : null),
      ),
    ),
    'Cumulative carry': provenance((place) => {
      const how =
        `Sum of the spreads received over ${countOf(place - first + 1, 'interval')} settled ` +
        'for both perpetuals. The last two settled rates:';
      return deriveQuantity('fraction', how, legsAt(place), () => invert(sums.sum(first, place + 1)));
    }),
  };
}
