import { toNumber } from '#contract/brand.ts';
import { wireText } from '#contract/json-text.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { isAscending } from './calendar.ts';
import { toDecimal, type Decimal } from './decimal.ts';

/** One product's rows, or the venue's total of several, ascending by date; where a date came twice, the later row. */
export function sortByDate(rows: readonly VOIDataPoint[]): readonly VOIDataPoint[] {
  if (isAscending(rows)) return rows;
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return [...byDate.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Each product's rows, as `sortByDate` has them. */
export function groupByProduct(rows: readonly VOIDataPoint[]): ReadonlyMap<number, readonly VOIDataPoint[]> {
  const groups = Map.groupBy(rows, ({ productId }) => toNumber(productId));
  return new Map([...groups].map(([id, group]) => [id, sortByDate(group)]));
}

/** The row of the last day that tells open interest: it comes the morning after, so the last session usually has none yet. */
export function findLatestOpenInterest(rows: readonly VOIDataPoint[]): VOIDataPoint | null {
  return rows.reduce<VOIDataPoint | null>((latest, row) => (row.openInterest === null || (latest !== null && latest.date > row.date) ? latest : row), null);
}

/**
 * The settlement price that a day's open interest was valued at: notional / contracts / contract size. USD without any
 * increment, so it can be held against one. Null without open interest; the sign of a spread's price is lost in it.
 */
export function toImpliedSettlement(row: VOIDataPoint, contractSize: string): Decimal | null {
  const [cents, contracts] = [wireText(row, 'notionalOpenInterest'), wireText(row, 'openInterest')];
  if (cents === null || contracts === null) return null;
  const units = toDecimal(contracts).times(contractSize);
  const usd = toDecimal(cents).div(100);
  return units.gt(0) && usd.gt(0) ? usd.div(units) : null;
}

export type VoiField = 'volume' | 'notionalVolume' | 'openInterest' | 'notionalOpenInterest';

const CENT = toDecimal('0.01');

/** A figure of a day: contracts, or USD where the wire has cents. Multiplying is exact, and costs less than dividing. */
export function readVoi(row: VOIDataPoint, field: VoiField): Decimal | null {
  const text = wireText(row, field);
  if (text === null) return null;
  return field.startsWith('notional') ? toDecimal(text).times(CENT) : toDecimal(text);
}
