import { countOf } from '../../format/count.ts';
import { describeFigure } from '../../format/provenance.ts';
import type { FundingSpread } from '../../funding/funding-spread.ts';
import { deriveQuantity, type Quantity } from '../../units/quantity.ts';
import type { Source } from '../../source.ts';
import type { ReadoutProvenance } from '../with-provenance.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { invert, SPREAD } from './spread-picture.ts';
import { type PerpetualSeries, toRateQuantity } from '../../tables/funding/perpetual-series.ts';

interface Legs {
  readonly long: PerpetualSeries;
  readonly short: PerpetualSeries;
}

interface SpreadPlaces {
  /** Place of a bar among the intervals in common, or null. */
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
      const how = `Sum of the spreads received over ${countOf(place - first + 1, 'interval')} settled for both perpetuals. The last two settled rates:`;
      return deriveQuantity('fraction', how, legsAt(place), () => invert(sums.sum(first, place + 1)));
    }),
  };
}
