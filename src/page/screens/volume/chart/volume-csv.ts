import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { type Period, toPeriodStart } from '#model/time/date-range.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import {
  type Cell,
  type CsvForm,
  SOURCE_HEADING,
  toCsvInForm,
  toExactNumber,
  toSourceCells,
} from '#model/format/csv.ts';
import { toStackedDays } from '#model/voi/stacked-days.ts';
import { toVoiBars, type VoiBar } from '#model/voi/voi-bars.ts';
import { whyVoiWithheld } from '#model/voi/voi-rows.ts';
import { FIELDS } from '#model/charts/volume/volume-chart.ts';
import type { VoiResponse } from '../shared/use-voi.ts';

/** New columns are added at the end, because existing programs find the others by position. */
const HEADING: readonly CsvColumn[] = [
  'date',
  'product_id',
  'base_symbol',
  'products',
  'volume_contracts',
  'volume_usd',
  'volume_cents_raw',

  'open_interest_contracts',
  'open_interest_usd',
  'open_interest_cents_raw',
  'open_interest_missing_of',
  ...SOURCE_HEADING,
  'withheld_because',
];

const PROVENANCE: readonly CsvColumn[] = ['volume_cents_raw', 'open_interest_cents_raw', ...SOURCE_HEADING];
/** A row of the exchange's own total does not name its products. */
const PROVENANCE_OF_TOTAL: readonly CsvColumn[] = [...PROVENANCE, 'open_interest_missing_of'];

/**
 * Writes the exchange's rows as published, with conversions, and the products whose open interest is missing from the
 * day's total.
 */
export function toVolumeCsv(
  response: VoiResponse,
  products: readonly NamedProduct[],
  shown: 'total' | 'stacked',
  form: CsvForm = 'full',
): string {
  const total = shown === 'total' ? nameAll(products) : null;
  const sources = response.perProduct ?? [response];
  const missing = shown === 'total' ? new Map<Day, string>() : findMissing(response, products);
  const rows = sources.flatMap((source) =>
    source.value.map((row) => [
      ...toRowCells(row, total),
      missing.get(row.date) ?? null,
      ...toSourceCells(source),
      joinReasons((field) => whyVoiWithheld([row], field)),
    ]),
  );
  return toCsvInForm(
    form,
    { heading: HEADING, provenance: shown === 'total' ? PROVENANCE_OF_TOTAL : PROVENANCE },
    rows,
  );
}

function findMissing({ value }: VoiResponse, products: readonly NamedProduct[]): ReadonlyMap<Day, string> {
  const days = toStackedDays(value, products, 'openInterest').filter(({ missing }) => missing.length > 0);
  return new Map(days.map(({ date, missing }) => [date, nameAll(missing.flatMap((index) => products[index] ?? []))]));
}

const BARS_HEADING: readonly CsvColumn[] = [
  'date',
  'last_session_date',
  'bar',
  'products',
  'volume_contracts',
  'volume_usd',
  'open_interest_contracts',
  'open_interest_usd',
  'open_interest_date',
  ...SOURCE_HEADING,
  'withheld_because',
];

/** Writes weeks or months as shown, each computed from the exchange's rows. */
export function toVolumeBarsCsv(
  response: VoiResponse,
  products: readonly NamedProduct[],
  period: Exclude<Period, '1D'>,
  form: CsvForm = 'full',
): string {
  const kind = [`computed ${period}`, nameAll(products)];
  const rows = toVoiBars(response.value, period).map((bar) => [
    toPeriodStart(bar.date, period),
    bar.lastDate,
    ...kind,
    ...toFigures(bar),
    ...toSourceCells(response),
    joinReasons(bar.whyWithheld),
  ]);
  return toCsvInForm(form, { heading: BARS_HEADING, provenance: SOURCE_HEADING }, rows);
}

function toFigures({ volume, volumeUsd, openInterest, openInterestUsd, openInterestDate }: VoiBar): readonly Cell[] {
  return [
    toExactNumber(volume),
    toExactNumber(volumeUsd),
    toExactNumber(openInterest),
    toExactNumber(openInterestUsd),
    openInterestDate,
  ];
}

function joinReasons(why: VoiBar['whyWithheld']): string | null {
  const reasons = new Set(
    Object.values(FIELDS)
      .flat()
      .flatMap((field) => why(field) ?? []),
  );
  return reasons.size === 0 ? null : [...reasons].join(' ');
}

function nameAll(products: readonly NamedProduct[]): string {
  return products.map(({ name }) => name).join(' ');
}

/** Contracts and cents are whole numbers far below the largest safe integer. A missing figure is an empty cell. */
function toRowCells(row: VOIDataPoint, total: string | null): readonly Cell[] {
  const { date, productId, baseSymbol, volume, notionalVolume, openInterest, notionalOpenInterest } = row;
  const name = total ?? String(productId);
  return [
    date,
    Number(String(productId)),
    baseSymbol,
    name,
    whole(volume),
    usd(notionalVolume),
    whole(notionalVolume),
    whole(openInterest),
    usd(notionalOpenInterest),
    whole(notionalOpenInterest),
  ];
}

type Amount = VOIDataPoint['volume'] | VOIDataPoint['notionalVolume'];

function whole(value: Amount): Cell {
  return value === null ? null : BigInt(String(value));
}

/** Moves the decimal point in the text, so that nothing is rounded. */
function usd(cents: Amount): Cell {
  if (cents === null) return null;
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
