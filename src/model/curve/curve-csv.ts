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
import { type CurveRow, whyMissing } from './curve-rows.ts';

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
  'open_interest_contracts',
  'settlement_missing_because',
  'basis_missing_because',
  ...SOURCE_HEADING,
];

/** Writes the curves of several sessions, each with the response it was read from. */
export function toCurveCsv(days: readonly CurveDay[], form: CsvForm = 'full'): string {
  const rows = days.flatMap((day) => day.rows.map((row) => [...toCells(day, row), ...toSourceCells(day.source)]));
  return toCsvInForm(form, { heading: HEADING, provenance: SOURCE_HEADING }, rows);
}

function toCells({ session, curve }: CurveDay, row: CurveRow): readonly Cell[] {
  const { kind, name, symbol, expiresAt, minutes, settlement, settledAt, usd, fraction, aYear, openInterest } = row;
  return [
    ...[session, curve.underlying, kind === 'perpetual' ? null : curve.baseSymbol, kind, name, symbol, expiresAt],
    kind === 'perpetual' ? null : minutes,
    toExactNumber(settlement?.value),
    settledAt,
    ...[usd, fraction, aYear].map((quantity) => toSpreadsheetNumber(quantity?.value ?? null)),
    toExactNumber(openInterest?.value),
    whyMissing(row, 'settlement'),
    kind === 'perpetual' ? null : whyMissing(row, 'aYear'),
  ];
}
