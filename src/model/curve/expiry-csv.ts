import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import { type Cell, type CsvForm, SOURCE_HEADING, toCsvInForm, toExactNumber, toSourceCells } from '../format/csv.ts';
import type { Source } from '../response.ts';
import { describeExpiring, type Expiry, type InterestSessions, type MonthInterest } from './expiry-calendar.ts';

const HEADING: readonly CsvColumn[] = [
  'final_settlement_at',
  'underlying',
  'expiring',
  'open_interest_units',
  'open_interest_date',
  'open_interest_week_before_units',
  'open_interest_week_before_date',
  'open_interest_change_units',
  'open_interest_missing_because',
  ...SOURCE_HEADING,
];

/** Writes expiries with the open interest of their futures. `source`: of open interest, or null until it is read. */
export function toExpiriesCsv(
  expiries: readonly Expiry[],
  interests: readonly (MonthInterest | null)[],
  sessions: InterestSessions | null,
  source: Source | null,
  form: CsvForm = 'full',
): string {
  const from = source === null ? SOURCE_HEADING.map(() => null) : toSourceCells(source);
  const rows = expiries.map((expiry, place): readonly Cell[] => {
    const interest = interests[place] ?? null;
    return [
      ...[expiry.at, expiry.underlying, describeExpiring(expiry)],
      toExactNumber(interest?.now),
      sessions?.newest ?? null,
      toExactNumber(interest?.weekBefore),
      sessions?.weekBefore ?? null,
      toExactNumber(interest?.change),
      interest?.missingBecause ?? null,
      ...from,
    ];
  });
  return toCsvInForm(form, { heading: HEADING, provenance: SOURCE_HEADING }, rows);
}
