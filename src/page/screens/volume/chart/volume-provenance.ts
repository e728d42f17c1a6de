import { sumOf } from '#model/units/decimal.ts';
import { describeFigure } from '#model/format/provenance.ts';
import { deriveQuantity, type Quantity } from '#model/units/quantity.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import type { Source } from '#model/source.ts';
import type { StackedDay } from '#model/voi/stacked-days.ts';
import type { VoiBar } from '#model/voi/voi-bars.ts';
import { groupByProduct, type VoiField } from '#model/voi/voi-rows.ts';
import { toVoiQuantity } from '#model/voi/voi-quantity.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { ReadoutProvenance } from '#model/charts/with-provenance.ts';
import { formatInAllZones } from '#model/format/format-time.ts';
import type { VoiResponse } from '../shared/use-voi.ts';
import { FIELDS, type VolumeUnit } from '#model/charts/volume/volume-text.ts';

/** For one product, or the exchange's total of several. */
export function createTotalProvenance(
  response: VoiResponse,
  bars: readonly VoiBar[],
  unit: VolumeUnit,
): ReadoutProvenance {
  const note = (field: VoiField) => (index: number) => {
    const bar = bars[index];
    return describeFigure(
      bar === undefined ? null : toVoiQuantity(response.value, response, bar, field),
      formatInAllZones,
    );
  };
  const [volume, openInterest] = FIELDS[unit];
  return { 'Volume': note(volume), 'Open interest': note(openInterest) };
}

/** For stacked products, by the days of their open interest: each has its own response, and totals are computed here. */
export function createStackedProvenance(
  response: VoiResponse,
  products: readonly NamedProduct[],
  days: readonly StackedDay[],
  unit: VolumeUnit,
): ReadoutProvenance {
  const rows = groupByProduct(response.value);
  const [volume, openInterest] = FIELDS[unit];
  const read = (at: number, index: number, field: VoiField): Quantity | null => {
    const [product, source, date] = [products[at], sourceAt(response, at), days[index]?.date];
    const day = (product && rows.get(toNumber(product.id)))?.find((row) => row.date === date);
    return day === undefined ? null : toVoiQuantity([day], source, { date: day.date, lastDate: day.date }, field);
  };
  const notes = (name: string, field: VoiField): ReadoutProvenance => ({
    ...Object.fromEntries(
      products.map((product, at) => [
        `${name} ${product.name}`,
        (index: number) => describeFigure(read(at, index, field), formatInAllZones),
      ]),
    ),
    [`${name}, total`]: (index) => describeFigure(totalAt(index, field), formatInAllZones),
  });
  const totalAt = (index: number, field: VoiField): Quantity | null => {
    const sum = sumUp(products.flatMap((_, at) => read(at, index, field) ?? []));
    const missing = field === openInterest ? (days[index]?.missing ?? []) : [];
    return sum === null || missing.length === 0
      ? sum
      : { ...sum, value: null, withheld: `Missing: ${missing.map((at) => products[at]?.name ?? '').join(', ')}.` };
  };
  return { ...notes('Volume', volume), ...notes('Open interest', openInterest) };
}

function sourceAt({ perProduct, ...joined }: VoiResponse, at: number): Source {
  return perProduct?.[at] ?? joined;
}

function sumUp(parts: readonly Quantity[]): Quantity | null {
  const known = parts.filter(({ value, withheld }) => value !== null || withheld !== null);
  const [first] = known;
  return first === undefined
    ? null
    : deriveQuantity(first.unit, `Sum of ${String(known.length)} products.`, known, sumOf);
}
