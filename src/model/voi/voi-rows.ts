import { toNumber } from '#contract/exchange/brand.ts';
import { findWithheldReason, wireText, withhold } from '#contract/exchange/row-notes.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { isAscending } from '../time/session.ts';
import { toDecimal, type Decimal } from '../units/decimal.ts';

/** Sorts rows of one product or of a total by date. Of duplicates, the later row counts. */
export function sortByDate(rows: readonly VOIDataPoint[]): readonly VOIDataPoint[] {
  if (isAscending(rows)) return rows;
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Groups rows by product and sorts them by date. */
export function groupByProduct(rows: readonly VOIDataPoint[]): ReadonlyMap<number, readonly VOIDataPoint[]> {
  const groups = Map.groupBy(rows, ({ productId }) => toNumber(productId));
  return new Map([...groups].map(([id, group]) => [id, sortByDate(group)]));
}

/** Finds the latest row with open interest, which is published the following morning. */
export function findLatestOpenInterest(rows: readonly VOIDataPoint[]): VOIDataPoint | null {
  return rows.reduce<VOIDataPoint | null>(
    (latest, row) => (row.openInterest === null || (latest !== null && latest.date > row.date) ? latest : row),
    null,
  );
}

export const VOI_FIELDS = ['volume', 'notionalVolume', 'openInterest', 'notionalOpenInterest'] as const;
export type VoiField = (typeof VOI_FIELDS)[number];

/** Withholds figures that the checks doubt. Returns the same row if there is no doubt. */
export function withholdVoi(row: VOIDataPoint, reasonOf: (field: VoiField) => string | null): VOIDataPoint {
  return VOI_FIELDS.reduce((kept, field) => {
    const reason = row[field] === null ? null : reasonOf(field);
    return reason === null ? kept : (withhold(kept, field, reason) as VOIDataPoint);
  }, row);
}

/** Returns why a field of one of the rows is null although the exchange sent a value; null if none is withheld. */
export function whyVoiWithheld(rows: readonly VOIDataPoint[], field: VoiField): string | null {
  return rows.map((row) => findWithheldReason(row, field)).find((reason) => reason !== null) ?? null;
}

const CENT = toDecimal('0.01');

/** Reads a figure of a day, in contracts or USD. */
export function readVoi(row: VOIDataPoint, field: VoiField): Decimal | null {
  const text = wireText(row, field);
  if (text === null) return null;
  return field.startsWith('notional') ? toDecimal(text).times(CENT) : toDecimal(text);
}
