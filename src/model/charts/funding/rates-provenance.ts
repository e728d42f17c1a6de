import { describeFigure } from '../../format/provenance.ts';
import { toAprOfSum } from '../../funding/funding-rate.ts';
import { deriveQuantity, type Quantity } from '../../units/quantity.ts';
import type { Source } from '../../source.ts';
import type { ReadoutProvenance } from '../with-provenance.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { type PerpetualSeries, toRateQuantity } from '../../tables/funding/perpetual-series.ts';
import { bySide } from '../../tables/funding/realised.ts';
import type { RateLines } from './rate-lines.ts';

export function createRatesProvenance(
  perpetuals: readonly PerpetualSeries[],
  { lines, measure, side }: RateLines,
  source: Source,
): ReadoutProvenance {
  const entries = lines.map(({ symbol, first, placeAt }, at) => {
    const perpetual = perpetuals[at];
    const read = (index: number): Quantity | null => {
      const place = placeAt(index);
      if (perpetual === undefined || place === null) return null;
      if (measure === 'sum') return toSum(perpetual, { first, last: place }, source);
      return measure === 'apr'
        ? toApr(toRateQuantity(perpetual, place, source))
        : toRateQuantity(perpetual, place, source);
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

function toApr(rate: Quantity | null): Quantity | null {
  return (
    rate &&
    deriveQuantity('fraction', 'APR, simple: rate × 3 × 365.', [rate], ([value]) =>
      value ? toAprOfSum(value, 1) : null,
    )
  );
}

/** A sum rests on many settled rates; only the last is listed. */
function toSum(
  perpetual: PerpetualSeries,
  { first, last }: { readonly first: number; readonly last: number },
  source: Source,
): Quantity | null {
  const rate = toRateQuantity(perpetual, last, source);
  const how = `Exact sum of the ${String(last - first + 1)} settled rates from the start of the window to this one.`;
  return rate && deriveQuantity('fraction', how, [rate], () => perpetual.series.sums.sum(first, last + 1));
}
