import { asRate } from '#domain/conversions.ts';
import { describeFigure } from '#domain/format-figure.ts';
import type { FundingSpread } from '#domain/funding/funding-spread.ts';
import { toAprOfSum } from '#domain/funding-rate.ts';
import { deriveQuantity, toQuantity, type Quantity } from '#domain/quantity.ts';
import type { Source } from '#domain/source.ts';
import type { ReadoutNotes } from '#ui/chart/with-notes.ts';
import { formatInAllZones } from '#ui/time/format-time.ts';
import type { Perpetual } from './compare-row.ts';
import { bySide } from './realised.ts';
import type { RateLines } from './rate-lines.ts';

/** Where the figures of the comparison's chart come from: a print, or those up to it. */
export function createRatesNotes(perpetuals: readonly Perpetual[], { lines, measure, side }: RateLines, source: Source): ReadoutNotes {
  const entries = lines.map(({ symbol, first, placeAt }, at) => {
    const perpetual = perpetuals[at];
    const read = (index: number): Quantity | null => {
      const place = placeAt(index);
      if (perpetual === undefined || place === null) return null;
      if (measure === 'sum') return toSum(perpetual, { first, last: place }, source);
      return measure === 'apr' ? toApr(toRate(perpetual, place, source)) : toRate(perpetual, place, source);
    };
    return [
      symbol,
      (index: number) => {
        const quantity = read(index);
        return describeFigure(quantity && bySide(quantity, side), formatInAllZones);
      },
    ] as const;
  });
  return Object.fromEntries(entries);
}

function toRate({ series }: Perpetual, place: number, source: Source): Quantity | null {
  const row = series.prints[place]?.row;
  return row === undefined ? null : toQuantity({ source, dataTime: row.interval_end, prefix: 'prints.' }, row, 'funding_rate', asRate);
}

function toApr(rate: Quantity | null): Quantity | null {
  return rate && deriveQuantity('fraction', 'APR, simple: rate × 3 × 365.', [rate], ([value]) => (value ? toAprOfSum(value, 1) : null));
}

/** It rests on many prints; the last is named as one of them. */
function toSum(perpetual: Perpetual, { first, last }: { readonly first: number; readonly last: number }, source: Source): Quantity | null {
  const rate = toRate(perpetual, last, source);
  const how = `Sum of the ${String(last - first + 1)} settled prints from the begin of the window to this one, exact.`;
  return rate && deriveQuantity('fraction', how, [rate], () => perpetual.series.sums.sum(first, last + 1));
}

interface Legs {
  readonly long: Perpetual;
  readonly short: Perpetual;
}

interface SpreadPlaces {
  /** Place among the intervals in common of the bar, or null. */
  readonly placeAt: (index: number) => number | null;
  readonly first: number;
}

/** Where a spread and the carry so far come from: the print of each leg. */
export function createSpreadNotes({ common, sums }: FundingSpread, { long, short }: Legs, { placeAt, first }: SpreadPlaces, source: Source): ReadoutNotes {
  const legsAt = (place: number): readonly Quantity[] => {
    const at = common[place];
    return at === undefined ? [] : [toRate(long, at.long, source), toRate(short, at.short, source)].flatMap((rate) => rate ?? []);
  };
  const note = (read: (place: number) => Quantity) => (index: number) => {
    const place = placeAt(index);
    return describeFigure(place === null ? null : read(place), formatInAllZones);
  };
  return {
    Spread: note((place) => deriveQuantity('per interval', `Rate of ${long.symbol} − rate of ${short.symbol}.`, legsAt(place), ([a, b]) => (a && b ? a.minus(b) : null))),
    'Carry so far': note((place) => {
      const how = `Spreads of ${String(place - first + 1)} intervals that both settled, added up, sign turned round: one who is long ${long.symbol} pays them. The last two prints:`;
      return deriveQuantity('fraction', how, legsAt(place), () => sums.sum(first, place + 1).negated());
    }),
  };
}
