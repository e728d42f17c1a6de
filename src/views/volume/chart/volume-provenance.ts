import { sumOf } from '#domain/decimal.ts';
import { describeFigure } from '#domain/format-figure.ts';
import { deriveQuantity, type Quantity } from '#domain/quantity.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import type { Source } from '#domain/source.ts';
import type { StackedDay } from '#domain/stacked-days.ts';
import type { VoiBar } from '#domain/voi-bars.ts';
import { groupByProduct, type VoiField } from '#domain/voi.ts';
import { toVoiQuantity } from '#domain/voi-quantity.ts';
import { asKey } from '#domain/wire-row.ts';
import type { ReadoutNotes } from '#ui/chart/with-provenance.ts';
import { formatInAllZones } from '#ui/time/format-time.ts';
import type { VoiResponse } from '../use-voi.ts';
import type { VolumeUnit } from './volume-text.ts';

/** The fields of a unit. */
export const FIELDS: Readonly<Record<VolumeUnit, readonly [volume: VoiField, openInterest: VoiField]>> = {
  contracts: ['volume', 'openInterest'],
  usd: ['notionalVolume', 'notionalOpenInterest'],
};

/** Where the figures of the bars come from: of one product, or the venue's total of several. */
export function createTotalProvenance(answer: VoiResponse, bars: readonly VoiBar[], unit: VolumeUnit): ReadoutNotes {
  const note = (field: VoiField) => (index: number) => {
    const bar = bars[index];
    return describeFigure(bar === undefined ? null : toVoiQuantity(answer.value, answer, bar, field), formatInAllZones);
  };
  const [volume, openInterest] = FIELDS[unit];
  return { Volume: note(volume), 'Open interest': note(openInterest) };
}

/** The same of products upon each other, by the days of their open interest: each has an answer of its own, and totals are added up here. */
export function createStackedProvenance(answer: VoiResponse, products: readonly NamedProduct[], days: readonly StackedDay[], unit: VolumeUnit): ReadoutNotes {
  const rows = groupByProduct(answer.value);
  const [volume, openInterest] = FIELDS[unit];
  const read = (at: number, index: number, field: VoiField): Quantity | null => {
    const [product, source, date] = [products[at], sourceAt(answer, at), days[index]?.date];
    const day = (product && rows.get(asKey(product.id)))?.find((row) => row.date === date);
    return day === undefined ? null : toVoiQuantity([day], source, { date: day.date, lastDate: day.date }, field);
  };
  const notes = (name: string, field: VoiField): ReadoutNotes => ({
    ...Object.fromEntries(products.map((product, at) => [`${name} ${product.name}`, (index: number) => describeFigure(read(at, index, field), formatInAllZones)])),
    [`${name}, total`]: (index) => describeFigure(totalAt(index, field), formatInAllZones),
  });
  const totalAt = (index: number, field: VoiField): Quantity | null => {
    const sum = addUp(products.flatMap((_, at) => read(at, index, field) ?? []));
    const missing = field === openInterest ? (days[index]?.missing ?? []) : [];
    return sum === null || missing.length === 0 ? sum : { ...sum, value: null, withheld: `Missing: ${missing.map((at) => products[at]?.name ?? '').join(', ')}.` };
  };
  return { ...notes('Volume', volume), ...notes('Open interest', openInterest) };
}

function sourceAt({ each, ...joined }: VoiResponse, at: number): Source {
  return each?.[at] ?? joined;
}

function addUp(parts: readonly Quantity[]): Quantity | null {
  const told = parts.filter(({ value }) => value !== null);
  const [first] = told;
  return first === undefined ? null : deriveQuantity(first.unit, `Sum of ${String(told.length)} products.`, told, sumOf);
}
