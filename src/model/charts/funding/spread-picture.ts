import type { Decimal } from '../../units/decimal.ts';
import { formatPercent } from '../../format/number.ts';
import type { FundingSpread } from '../../funding/funding-spread.ts';
import { listFundingTimes, type FundingWindow } from '../../funding/funding-window.ts';
import type { Picture } from '../picture.ts';
import { formatAxis } from '../../tables/funding/format-axis.ts';

interface SpreadParts {
  readonly window: FundingWindow;
  readonly anchor: number;
  readonly timeText: (epochMillis: number) => string;
}

export const SPREAD = 'Spread received';
const RATE = { digits: 4, signed: true };

/** A picture, with the place of each bar in the spread. */
interface SpreadPicture {
  readonly picture: Picture;
  /** Place of a bar among the intervals in common; null where either leg lacks a settled rate. */
  readonly placeAt: (index: number) => number | null;
  /** Place of the first bar in the window. */
  readonly first: number;
}

/** What the position received in each interval that both settled, and below it what that sums to: both positive where it receives. */
export function toSpreadPicture(
  { common, sums, difference, expectedFrom, expectedTo }: FundingSpread,
  { window, anchor, timeText }: SpreadParts,
): SpreadPicture {
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
  const picture: Picture = {
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
  return { picture, placeAt, first };
}

/** Zero has no sign. */
export function invert(value: Decimal): Decimal {
  return value.isZero() ? value : value.negated();
}

function listEnds(common: FundingSpread['common'], window: FundingWindow, anchor: number): readonly number[] {
  const regular = listFundingTimes(window, anchor);
  const known = new Set(regular);
  const others = common.flatMap(({ end }) => (end > window.from && end <= window.to && !known.has(end) ? [end] : []));
  return others.length === 0 ? regular : [...regular, ...others].sort((a, b) => a - b);
}
