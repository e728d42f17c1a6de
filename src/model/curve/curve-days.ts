import { type Day, isDay } from '#contract/exchange/instant.ts';
import { formatDay } from '../format/format-time.ts';
import type { Decimal } from '../units/decimal.ts';
import type { Quantity } from '../units/quantity.ts';
import type { Curve } from './curve-months.ts';
import type { ComparedWith, CurveMetric } from './curve-params.ts';
import { type CurveRow, lastSessionUntil, toChange, toComparedSession, toCurveRows } from './curve-rows.ts';

/** The curve of one session with its points. */
export interface CurveDay {
  readonly session: Day;
  readonly curve: Curve;
  readonly rows: readonly CurveRow[];
}

/** An earlier curve, or why there is none; undefined while it is being read. */
export type EarlierCurve = CurveDay | { readonly missingBecause: string } | undefined;

/** An earlier session to compare with, and its curve. */
export interface ComparedCurve {
  readonly compared: ComparedWith;
  readonly session: Day;
  readonly curve: EarlierCurve;
}

export function toCurveDay(curve: Curve, session: Day): CurveDay {
  return { session, curve, rows: toCurveRows(curve) };
}

/** Returns the session that a comparison means. */
export function toSession(compared: ComparedWith, newest: Day): Day {
  return isDay(compared) ? lastSessionUntil(compared) : toComparedSession(compared, newest);
}

const COMPARED_NAMES: Readonly<Record<string, string>> = {
  '1d': 'yesterday',
  '1w': 'a week ago',
  '30d': '30 days ago',
};

/** `yesterday`, or the day. The session before that of a Monday is of Friday, so the name says its date as well. */
export function nameCompared({ compared, session }: Pick<ComparedCurve, 'compared' | 'session'>): string {
  const name = COMPARED_NAMES[compared];
  return name === undefined ? formatDay(session) : `${name}, ${formatDay(session)}`;
}

/** A point with its changes since an earlier session. */
export interface ChangedRow extends CurveRow {
  readonly change: Quantity | null;
  readonly openInterestChange: Quantity | null;
  /** Why there are no changes, in a sentence, or null. */
  readonly changeMissingBecause: string | null;
}

/** Adds the changes of a basis a year and of open interest. The same product is compared, not the same maturity. */
export function addChanges({ rows }: CurveDay, earlier: ComparedCurve | null): readonly ChangedRow[] {
  const curve = earlier?.curve;
  const session = earlier === null ? '' : formatDay(earlier.session);
  const before = curve !== undefined && 'rows' in curve ? curve.rows : null;
  const missing = curve !== undefined && 'missingBecause' in curve ? curve.missingBecause : null;
  return rows.map((row) => {
    const other = before?.find(({ key }) => key === row.key);
    const isListed = other !== undefined || before === null;
    return {
      ...row,
      change: toChange(row.aYear, other?.aYear, session),
      openInterestChange: toChange(row.openInterest, other?.openInterest, session),
      changeMissingBecause: isListed ? missing : `${row.symbol ?? row.name} was not listed on ${session}.`,
    };
  });
}

/** Returns a point's figure as a float for drawing; null is a gap. */
export function toPlotted(row: CurveRow, metric: CurveMetric): number | null {
  // The basis of the perpetual against itself.
  if (row.kind === 'perpetual' && metric !== 'settlement') return (row.settlement?.value ?? null) === null ? null : 0;
  return row[metric]?.value?.toNumber() ?? null;
}

/** The month with the nearest expiry that has a basis a year. */
export function findFront(
  rows: readonly CurveRow[],
): (CurveRow & { readonly aYear: Quantity; readonly value: Decimal }) | null {
  for (const row of rows) {
    const value = row.aYear?.value ?? null;
    if (row.kind === 'month' && row.aYear !== null && value !== null) return { ...row, aYear: row.aYear, value };
  }
  return null;
}
