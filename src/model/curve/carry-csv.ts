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
import type { Source } from '../response.ts';
import {
  type CarryDays,
  type CarryMonth,
  type CarryTerms,
  type PerpetualFunding,
  toCarryMonths,
} from './carry-months.ts';
import { describePosition } from './describe-carry.ts';
import type { Curve } from './curve-months.ts';

const FIGURES = [
  'basis',
  'inWindow',
  'realisedFunding',
  'realised',
  'least',
  'most',
  'predictedFunding',
  'predicted',
] as const;

const PER_YEAR = [
  'carry_basis_per_year_fraction',
  'carry_funding_in_window_fraction',
  'carry_funding_realised_per_year_fraction',
  'carry_realised_per_year_fraction',
  'carry_least_per_year_fraction',
  'carry_most_per_year_fraction',
  'carry_funding_predicted_per_year_fraction',
  'carry_predicted_per_year_fraction',
] as const satisfies readonly CsvColumn[];

const IN_USD = [
  'carry_basis_usd',
  'carry_funding_in_window_usd',
  'carry_funding_at_mean_usd',
  'carry_at_mean_usd',
  'carry_least_usd',
  'carry_most_usd',
  'carry_funding_predicted_usd',
  'carry_predicted_usd',
] as const satisfies readonly CsvColumn[];

const PROVENANCE: readonly CsvColumn[] = [
  ...SOURCE_HEADING.map((name) => `price_${name}` as const),
  ...SOURCE_HEADING.map((name) => `settled_rate_${name}` as const),
];

const HEADING: readonly CsvColumn[] = [
  'date',
  'underlying',
  'symbol',
  'final_settlement_at',
  'minutes_to_expiry',
  'settlement_usd',
  'settlement_at',
  'perpetual',
  'perpetual_settlement_usd',
  'carry_position',
  'carry_window_days',
  'carry_settled_rates',
  'carry_intervals',
  ...PER_YEAR,
  'carry_size',
  ...IN_USD,
  'carry_missing_because',
  ...PROVENANCE,
];

interface CarryFile {
  readonly curve: Curve;
  readonly funding: PerpetualFunding | null;
  readonly days: CarryDays;
  readonly terms: CarryTerms;
  readonly prices: Source;
  readonly rates: Source | null;
}

/** Writes the carry of each month: a year, and in USD of one contract unless figures of a notional are shown. */
export function toCarryMonthsCsv(file: CarryFile, form: CsvForm = 'full'): string {
  const { curve, funding, days, terms, prices, rates } = file;
  const unit = terms.unit === 'notional' ? 'notional' : 'contract';
  const inUnit = (one: CarryTerms['unit']): readonly CarryMonth[] =>
    toCarryMonths(curve.months, curve.perpetual, funding, { ...terms, unit: one });
  const usd = inUnit(unit);
  const size = unit === 'contract' ? 'one contract' : `notional of ${terms.notional.toFixed()} USD`;
  const from = rates === null ? SOURCE_HEADING.map(() => null) : toSourceCells(rates);
  const rows = inUnit('year').map((carry, at): readonly Cell[] => [
    ...[curve.session, curve.underlying, carry.month.symbol, carry.month.expiresAt, carry.minutes],
    ...[toExactNumber(carry.month.settlement?.value), carry.month.settledAt],
    ...[curve.perpetual?.symbol ?? null, toExactNumber(curve.perpetual?.settlement?.value)],
    ...[describePosition(carry, curve.perpetual), Number(days), funding?.rates ?? null, funding?.intervals ?? null],
    ...toCells(carry),
    size,
    ...toCells(usd[at]),
    carry.refusedBecause,
    ...toSourceCells(prices),
    ...from,
  ]);
  return toCsvInForm(form, { heading: HEADING, provenance: PROVENANCE }, rows);
}

function toCells(carry: CarryMonth | undefined): readonly Cell[] {
  return FIGURES.map((name) => toSpreadsheetNumber(carry?.[name]?.value ?? null));
}
