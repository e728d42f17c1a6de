import { sumOf } from '#model/units/decimal.ts';
import { describeFigure } from '#model/format/provenance.ts';
import { deriveQuantity, type Quantity } from '#model/units/quantity.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import type { Source } from '#model/response.ts';
import { type StackedDay, toStackedDays } from '#model/voi/stacked-days.ts';
import { toVoiBars, toVoiQuantity, type VoiBar } from '#model/voi/voi-bars.ts';
import { groupByProduct, type VoiField } from '#model/voi/voi-rows.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { type ChartData, type ReadoutProvenance, type Scale, withProvenance } from '#model/charts/chart-data.ts';
import { formatDay, formatInAllZones } from '#model/format/format-time.ts';
import type { VoiResponse } from '../shared/use-voi.ts';
import {
  FIELDS,
  findPercentBase,
  toStackedChartData,
  toTotalChartData,
  type VolumeUnit,
} from '#model/charts/volume/volume-chart.ts';
import { COVERAGE_OF_BARS, type Period, PERIOD_LABELS } from '#model/time/date-range.ts';
import { countOf } from '#model/format/count.ts';

/** Explains the figures of one product, or of the exchange's total of several. */
function createTotalProvenance(response: VoiResponse, bars: readonly VoiBar[], unit: VolumeUnit): ReadoutProvenance {
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

/**
 * Explains the figures of stacked products, by the days of their open interest. Each product has its own response, and
 * totals are computed here.
 */
function createStackedProvenance(
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

interface Drawn {
  readonly chartData: ChartData;
  /** Remarks that are needed to read the chart correctly. */
  readonly remarks: readonly string[];
}

interface TotalOptions {
  readonly unit: VolumeUnit;
  readonly period: Period;
  readonly scale: Scale;
}

/** Draws one product, or the exchange's total of several. */
export function drawTotal(response: VoiResponse, { unit, period, scale }: TotalOptions): Drawn {
  const bars = toVoiBars(response.value, period);
  const base = scale === 'percent' ? findPercentBase(bars, unit) : null;
  return {
    chartData: withProvenance(
      toTotalChartData(bars, { unit, period, base }),
      createTotalProvenance(response, bars, unit),
    ),
    remarks: [
      PERIOD_LABELS[period],
      ...(period === '1D' ? [] : [COVERAGE_OF_BARS]),
      ...(scale === 'percent' ? [describePercent(base)] : []),
    ],
  };
}

/** Draws several products stacked, each from its own response. */
export function drawStacked(response: VoiResponse, products: readonly NamedProduct[], unit: VolumeUnit): Drawn {
  const [volume, openInterest] = FIELDS[unit];
  const stack = {
    volume: toStackedDays(response.value, products, volume),
    openInterest: toStackedDays(response.value, products, openInterest),
  };
  return {
    chartData: withProvenance(
      toStackedChartData(stack, products, unit),
      createStackedProvenance(response, products, stack.openInterest, unit),
    ),
    remarks: [PERIOD_LABELS['1D'], ...describeHidden(stack.openInterest, products)],
  };
}

function describePercent(base: VoiBar | null): string {
  const day = base?.openInterestDate ?? null;
  return day === null
    ? 'No percent scale: there is no first open interest above zero.'
    : `Open interest: percent change from ${formatDay(day)}. Volume: absolute.`;
}

function describeHidden(days: readonly StackedDay[], products: readonly NamedProduct[]): readonly string[] {
  const hidden = days.filter(({ missing }) => missing.length > 0);
  const last = hidden.at(-1);
  if (last === undefined) return [];
  const names = last.missing.map((place) => products[place]?.name ?? '').join(', ');
  const when =
    hidden.length === 1 ? formatDay(last.date) : `${countOf(hidden.length, 'day')}, last on ${formatDay(last.date)}`;
  return [`Total open interest not shown for ${when}: ${names} missing.`];
}
