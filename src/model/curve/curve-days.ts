import type { DeskProduct } from '#contract/desk/desk.ts';
import { type Day, isDay } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { formatDay } from '../format/format-time.ts';
import type { Earlier } from '../markets/price-changes.ts';
import type { Source, Sourced } from '../response.ts';
import type { Decimal } from '../units/decimal.ts';
import type { Quantity } from '../units/quantity.ts';
import type { BasisOver } from './basis-over.ts';
import { type Curve, toCurve } from './curve-months.ts';
import type { ComparedWith, CurveMetric } from './curve-params.ts';
import { type CurveRow, lastSessionUntil, toChange, toComparedSession, toCurveRows } from './curve-rows.ts';

/** The curve of one session with its points. */
export interface CurveDay {
  readonly session: Day;
  readonly curve: Curve;
  readonly rows: readonly CurveRow[];
  /** Fraction digits of prices in USD: those of the settlements, and of the index or mark. An interpolated price may have endlessly many. */
  readonly digits: number;
  /** The response from which it was made. */
  readonly source: Source;
  readonly over: BasisOver;
}

/** An earlier curve, or why there is none; undefined while it is being read. */
export type EarlierCurve = CurveDay | { readonly missingBecause: string } | undefined;

/** An earlier session to compare with, and its curve. */
export interface ComparedCurve {
  readonly compared: ComparedWith;
  readonly session: Day;
  readonly curve: EarlierCurve;
}

/** What all curves of a screen have in common. */
export interface CurveSubject {
  readonly directory: readonly DeskProduct[];
  readonly underlying: string;
  /** The series; empty: the one with the most open interest. */
  readonly baseSymbol: string;
  /** Why the open interest in the data is not that of the session, or null. */
  readonly interestMissingBecause?: string | null;
}

/** Makes the curve of a session; null if no months were listed. */
export function toCurveDay(
  subject: CurveSubject,
  session: Day,
  source: Sourced<readonly ProductData[]>,
): CurveDay | null {
  const curve = toCurve({ ...subject, data: source, session });
  if (curve === null) return null;
  const rows = toCurveRows(curve);
  return { session, curve, rows, digits: countDigits(rows), source, over: null };
}

/** Measures the basis of a curve over another price. */
export function measureOver(day: CurveDay, over: BasisOver): CurveDay {
  if (over === null) return day;
  const rows = toCurveRows(day.curve, over);
  return { ...day, rows, digits: countDigits(rows), over };
}

function countDigits(rows: readonly CurveRow[]): number {
  const settled = rows.filter(({ kind }) => kind !== 'constant');
  const prices = settled.flatMap(({ settlement, near }) => [settlement?.value, near?.price?.value]);
  return Math.max(0, ...prices.map((price) => price?.decimalPlaces() ?? 0));
}

/** Makes an earlier curve of the same series, or says why there is none. */
export function toEarlierCurve(
  subject: CurveSubject,
  session: Day,
  source: Earlier<readonly ProductData[]>,
): EarlierCurve {
  if (source === undefined || 'missingBecause' in source) return source;
  const day = toCurveDay(subject, session, source);
  if (day?.curve.baseSymbol !== subject.baseSymbol)
    return { missingBecause: `${subject.baseSymbol} listed no months on ${formatDay(session)}.` };
  return day.curve.months.every(({ settlement }) => settlement === null)
    ? { missingBecause: `no month of ${subject.baseSymbol} settled.` }
    : day;
}

/** Returns the session that a comparison means. */
export function toSession(compared: ComparedWith, newest: Day): Day {
  return isDay(compared) ? lastSessionUntil(compared) : toComparedSession(compared, newest);
}

const COMPARED_NAMES: Readonly<Record<string, string>> = {
  '1d': 'previous session',
  '1w': 'a week ago',
  '30d': '30 days ago',
};

/** `previous session` and its date, or the day. That before a Monday is of Friday, so it is not called yesterday. */
export function nameCompared({ compared, session }: Pick<ComparedCurve, 'compared' | 'session'>): string {
  const name = COMPARED_NAMES[compared];
  return name === undefined ? formatDay(session) : `${name}, ${formatDay(session)}`;
}

/** A point with its changes since an earlier session. */
export interface ChangedRow extends CurveRow {
  readonly change: Quantity | null;
  readonly openInterestChange: Quantity | null;
  /** The earlier session whose open interest is shown until that of the newest is published; null if it is. */
  readonly openInterestOf: Day | null;
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
      ...toPublished(row, other, earlier),
      change: toChange(row.aYear, other?.aYear, session),
      openInterestChange: toChange(row.openInterest, other?.openInterest, session),
      changeMissingBecause: isListed ? missing : `${row.symbol ?? row.name} was not listed on ${session}.`,
    };
  });
}

/** Until the open interest of the newest session is published, there is that of the session before. */
function toPublished(row: CurveRow, other: CurveRow | undefined, earlier: ComparedCurve | null) {
  const isWithheld = row.openInterest !== null && row.openInterest.withheld !== null;
  const before = isWithheld ? (other?.openInterest ?? null) : null;
  return before === null || earlier === null
    ? { openInterest: row.openInterest, openInterestOf: null }
    : { openInterest: before, openInterestOf: earlier.session };
}

/** Returns the figures of the points as floats for drawing; null is a gap. */
export function toPlotted(rows: readonly CurveRow[], metric: CurveMetric): readonly (number | null)[] {
  const values = rows.map((row) => row[metric]?.value?.toNumber() ?? null);
  if (metric === 'settlement') return values;
  // What no month is measured over is not drawn either.
  const hasBasis = values.some((value) => value !== null);
  return rows.map((row, index) => (row.kind === 'perpetual' && hasBasis ? toBase(row) : (values[index] ?? null)));
}

/** What the basis is measured over, the perpetual itself or its index or mark, is at zero. */
function toBase({ near, settlement }: CurveRow): number | null {
  const measured = near === null ? settlement : near.price;
  return (measured?.value ?? null) === null ? null : 0;
}

export interface FrontMonth extends CurveRow {
  readonly aYear: Quantity;
  readonly value: Decimal;
}

/** The month with the nearest expiry that has a basis a year. */
export function findFront(rows: readonly CurveRow[]): FrontMonth | null {
  for (const row of rows) {
    const value = row.aYear?.value ?? null;
    if (row.kind === 'month' && row.aYear !== null && value !== null) return { ...row, aYear: row.aYear, value };
  }
  return null;
}
