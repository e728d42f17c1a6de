import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import {
  type Cell,
  type CsvForm,
  SOURCE_HEADING,
  toCsvInForm,
  toExactNumber,
  toSourceCells,
  toSpreadsheetNumber,
} from '../format/csv.ts';
import type { CurveDay } from './curve-days.ts';
import { countApart, type CurveRow, whyMissing } from './curve-rows.ts';

/** Settled rates have the index and the mark. */
const PROVENANCE: readonly CsvColumn[] = [
  ...SOURCE_HEADING,
  ...SOURCE_HEADING.map((name) => `settled_rate_${name}` as const),
];

const HEADING: readonly CsvColumn[] = [
  'date',
  'underlying',
  'base_symbol',
  'curve_point',
  'curve_point_name',
  'symbol',
  'final_settlement_at',
  'minutes_to_expiry',
  'settlement_usd',
  'settlement_at',
  'basis_usd',
  'basis_fraction',
  'basis_per_year_fraction',
  'basis_over',
  'basis_over_usd',
  'basis_over_at',
  'basis_minutes_apart',
  'open_interest_contracts',
  'settlement_missing_because',
  'basis_missing_because',
  ...PROVENANCE,
];

/** Writes the curves of several sessions, each with the responses it was read from. */
export function toCurveCsv(days: readonly CurveDay[], form: CsvForm = 'full'): string {
  const rows = days.flatMap((day) => day.rows.map((row) => [...toCells(day, row), ...toSources(day)]));
  return toCsvInForm(form, { heading: HEADING, provenance: PROVENANCE }, rows);
}

function toSources({ source, over }: CurveDay): readonly Cell[] {
  const isRead = over !== null && 'source' in over.rates;
  return [...toSourceCells(source), ...(isRead ? toSourceCells(over.rates.source) : SOURCE_HEADING.map(() => null))];
}

function toCells({ session, curve }: CurveDay, row: CurveRow): readonly Cell[] {
  const { kind, name, symbol, expiresAt, minutes, settlement, settledAt, usd, fraction, aYear, near, openInterest } =
    row;
  return [
    ...[session, curve.underlying, kind === 'perpetual' ? null : curve.baseSymbol, kind, name, symbol, expiresAt],
    kind === 'perpetual' ? null : minutes,
    toExactNumber(settlement?.value),
    settledAt,
    ...[usd, fraction, aYear].map((quantity) => toSpreadsheetNumber(quantity?.value ?? null)),
    ...(near === null ? [null, null, null] : [near.kind, toExactNumber(near.price?.value), near.at]),
    countApart(row),
    toExactNumber(openInterest?.value),
    whyMissing(row, 'settlement'),
    kind === 'perpetual' ? null : whyMissing(row, 'aYear'),
  ];
}
