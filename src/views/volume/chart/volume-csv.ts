import type { Day } from '#contract/day.ts';
import { toPeriodStart, type Period } from '#domain/bars.ts';
import type { Decimal } from '#domain/decimal.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import { SOURCE_HEADING, toSourceCells } from '#domain/source-cells.ts';
import { toStackedDays } from '#domain/stacked-days.ts';
import { toVoiBars, type VoiBar } from '#domain/voi-bars.ts';
import { toCsv, type Cell } from '#ui/csv.ts';
import type { VoiResponse } from '../use-voi.ts';

const HEADING = [
  ...['date', 'product_id', 'base_symbol', 'products_in_row', 'volume_contracts', 'volume_usd', 'volume_cents_wire'],
  ...['open_interest_contracts', 'open_interest_usd', 'open_interest_cents_wire', 'open_interest_missing_of', ...SOURCE_HEADING],
];

/** The venue's rows as they came, with their conversions, what the day's open interest cannot be added up without, and the answer that each came with. */
export function toVolumeCsv(answer: VoiResponse, products: readonly NamedProduct[], shown: 'total' | 'stacked'): string {
  const together = shown === 'total' ? nameAll(products) : null;
  const sources = answer.each ?? [answer];
  const missing = shown === 'total' ? new Map<Day, string>() : findMissing(answer, products);
  return toCsv(HEADING, sources.flatMap((source) => source.value.map((row) => [...wireCells(row, together), missing.get(row.date) ?? null, ...toSourceCells(source)])));
}

function findMissing({ value }: VoiResponse, products: readonly NamedProduct[]): ReadonlyMap<Day, string> {
  const days = toStackedDays(value, products, 'openInterest').filter(({ missing }) => missing.length > 0);
  return new Map(days.map(({ date, missing }) => [date, nameAll(missing.flatMap((place) => products[place] ?? []))]));
}

const BARS_HEADING = [
  ...['date', 'last_session', 'bar', 'products_in_row', 'volume_contracts', 'volume_usd'],
  ...['open_interest_contracts', 'open_interest_usd', 'open_interest_date', ...SOURCE_HEADING],
];

/** Weeks or months as they are shown, each computed from the venue's rows. */
export function toVolumeBarsCsv(answer: VoiResponse, products: readonly NamedProduct[], period: Exclude<Period, '1D'>): string {
  const kind = [`computed ${period}`, nameAll(products)];
  return toCsv(BARS_HEADING, toVoiBars(answer.value, period).map((bar) => [toPeriodStart(bar.date, period), bar.lastDate, ...kind, ...toFigures(bar), ...toSourceCells(answer)]));
}

function toFigures({ volume, volumeUsd, openInterest, openInterestUsd, openInterestDate }: VoiBar): readonly Cell[] {
  return [exact(volume), exact(volumeUsd), exact(openInterest), exact(openInterestUsd), openInterestDate];
}

function exact(value: Decimal | null): Cell {
  return value === null ? null : { digits: value.toFixed() };
}

function nameAll(products: readonly NamedProduct[]): string {
  return products.map(({ name }) => name).join(' ');
}

/** Contracts and cents are whole and far below the largest safe integer; a missing figure is an empty cell. */
function wireCells(row: VOIDataPoint, together: string | null): readonly Cell[] {
  const { date, productId, baseSymbol, volume, notionalVolume, openInterest, notionalOpenInterest } = row;
  const name = together ?? String(productId);
  return [date, Number(String(productId)), baseSymbol, name, whole(volume), usd(notionalVolume), whole(notionalVolume), whole(openInterest), usd(notionalOpenInterest), whole(notionalOpenInterest)];
}

type Amount = VOIDataPoint['volume'] | VOIDataPoint['notionalVolume'];

function whole(value: Amount): Cell {
  return value === null ? null : BigInt(String(value));
}

/** Cents are moved behind the point as text: nothing is rounded. */
function usd(cents: Amount): Cell {
  if (cents === null) return null;
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
