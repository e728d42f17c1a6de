import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import { addDays, sessionBefore, toMillis } from '../time/session.ts';
import { deriveQuantity, type Quantity } from '../units/quantity.ts';
import { type Basis, computeBasis, minutesApart, minutesBetween, MINUTES_OF_DAY, refuseBasis } from '../basis/basis.ts';
import { type BasisOver, toBasisOver, toFundingLeg } from './basis-over.ts';
import type { Curve, CurveLeg, CurveMonth } from './curve-months.ts';
import type { MeasuredBasis } from './month-basis.ts';

/** A point of a curve: a product, or a maturity that no product has. */
export interface CurveRow extends MeasuredBasis {
  readonly key: string;
  readonly kind: 'perpetual' | 'month' | 'constant';
  /** `Perpetual`, `Z26`, `30 days`. */
  readonly name: string;
  /** Null for a constant maturity, as its symbol is. */
  readonly product: DeskProduct | null;
  readonly symbol: string | null;
  readonly expiresAt: Instant | null;
  /** From the settlement of the curve to expiry; null if nothing has settled. Zero for the perpetual. */
  readonly minutes: number | null;
  readonly settlement: Quantity | null;
  readonly settledAt: Instant | null;
  readonly openInterest: Quantity | null;
  /** Why there is no settlement, in a sentence, or null. */
  readonly missingBecause: string | null;
}

/** In days. */
export const MATURITIES = [30, 90, 180] as const;

/** Lists the points of a curve: the perpetual, the months, and the constant maturities between them. */
export function toCurveRows({ months, perpetual }: Curve, over: BasisOver = null): readonly CurveRow[] {
  const settledAt = months.find(({ settlement }) => settlement !== null)?.settledAt ?? null;
  const ofMonths = months.map((month) => ({ ...toMonthRow(month, settledAt), ...toBasisOver(month, perpetual, over) }));
  return [
    ...(perpetual === null ? [] : [toPerpetualRow(perpetual, over)]),
    ...ofMonths,
    ...MATURITIES.map((days) => toConstantRow(days, ofMonths, settledAt, over?.mostApart ?? 0)),
  ];
}

function toPerpetualRow(perpetual: CurveLeg, over: BasisOver): CurveRow {
  const { product, symbol, settlement, settledAt, openInterest, missingBecause } = perpetual;
  const near = over && toFundingLeg(settledAt, perpetual, over);
  const ofBasis = { usd: null, fraction: null, aYear: null, near };
  const refusedBecause = `The basis of the months is measured against ${over === null ? '' : `the ${over.over} of `}this product.`;
  const base = {
    key: symbol,
    kind: 'perpetual',
    name: 'Perpetual',
    product,
    symbol,
    expiresAt: null,
    minutes: 0,
  } as const;
  return { ...base, ...ofBasis, settlement, settledAt, openInterest, missingBecause, refusedBecause };
}

function toMonthRow(month: CurveMonth, curveSettledAt: Instant | null): Omit<CurveRow, keyof MeasuredBasis> {
  const { name, product, symbol, expiresAt, settlement, settledAt, openInterest, missingBecause } = month;
  const minutes = curveSettledAt === null ? null : minutesBetween(curveSettledAt, expiresAt);
  const base = { key: symbol, kind: 'month', name, product, symbol, expiresAt, minutes } as const;
  return { ...base, settlement, settledAt, openInterest, missingBecause };
}

export type CurveFigure = 'settlement' | 'usd' | 'fraction' | 'aYear';

/** Returns why a point lacks a figure, in a sentence. */
export function whyMissing(row: CurveRow, figure: CurveFigure): string | null {
  const quantity = row[figure];
  if (quantity !== null) return quantity.withheld && `${row.symbol ?? row.name}: ${quantity.withheld}`;
  return figure === 'settlement' ? row.missingBecause : row.refusedBecause;
}

/** Counts the minutes between the settlement of a point and the price that its basis is measured over. */
export function countApart({ settledAt, near }: Pick<CurveRow, 'settledAt' | 'near'>): number | null {
  return settledAt === null || !near?.at ? null : minutesApart(settledAt, near.at);
}

function toConstantRow(
  days: number,
  months: readonly CurveRow[],
  settledAt: Instant | null,
  mostApart: number,
): CurveRow {
  const name = `${String(days)} days`;
  const at = days * MINUTES_OF_DAY;
  const [before, after] = findNeighbours(months, at);
  const base = {
    key: name,
    kind: 'constant',
    name,
    product: null,
    symbol: null,
    expiresAt: null,
    minutes: at,
  } as const;
  const none = { settlement: null, usd: null, fraction: null, aYear: null, near: null };
  const row = { ...base, ...none, settledAt, openInterest: null };
  const end = before === undefined ? `No month expires within ${name}` : `No month expires after ${name}`;
  if (before === undefined || after === undefined) {
    const because = `${end} of the settlement, and nothing is extrapolated.`;
    return { ...row, missingBecause: because, refusedBecause: because };
  }
  const settlement = interpolate(days, [before, after]);
  const withoutBasis = whyMissing(before, 'usd') ?? whyMissing(after, 'usd');
  return {
    ...row,
    ...(withoutBasis === null ? toBasisAt(days, settlement, before, mostApart) : refuseBasis(withoutBasis)),
    settlement,
    missingBecause: whyMissing(before, 'settlement') ?? whyMissing(after, 'settlement'),
  };
}

/** The basis of an interpolated settlement is computed as that of a month, so that its figures agree with each other. */
function toBasisAt(days: number, price: Quantity | null, { settledAt, near }: CurveRow, mostApart: number): Basis {
  if (price === null || settledAt === null || near === null) return refuseBasis('There is no settlement.');
  const symbol = `${String(days)} days`;
  const until = new Date(toMillis(settledAt) + days * MINUTES_OF_DAY * 60_000).toISOString() as Instant;
  const far = { kind: 'settlement', symbol, price, at: settledAt, missingBecause: null } as const;
  return computeBasis({ far, near, after: null, until, mostApart });
}

/** Finds the listed months on both sides of a maturity, also those without a figure: a gap is not bridged. */
function findNeighbours(
  months: readonly CurveRow[],
  at: number,
): readonly [CurveRow | undefined, CurveRow | undefined] {
  const before = months.findLast(({ minutes }) => minutes !== null && minutes <= at);
  const after = months.find(({ minutes }) => minutes !== null && minutes >= at);
  return [before, after];
}

function interpolate(days: number, [before, after]: readonly [CurveRow, CurveRow]): Quantity | null {
  const [low, high] = [before.settlement, after.settlement];
  if (!low?.value || !high?.value) return null;
  const [from, to] = [before.minutes ?? 0, after.minutes ?? 0];
  const [done, span] = [days * MINUTES_OF_DAY - from, to - from];
  const how =
    `Linear in time between ${before.name} and ${after.name}: ` +
    `${before.name} + (${after.name} − ${before.name}) × ${String(done)} ÷ ${String(span)} minutes`;
  return deriveQuantity('USD', how, [low, high], ([a, b]) =>
    a && b ? (span === 0 ? a : a.plus(b.minus(a).times(done).div(span))) : null,
  );
}

/** Earlier sessions that a curve is compared with. */
export const COMPARED = ['1d', '1w', '30d'] as const;
export type Compared = (typeof COMPARED)[number];

const DAYS_BACK: Readonly<Record<Compared, number>> = { '1d': 1, '1w': 7, '30d': 30 };

/** Returns the last session of months until so many days before a session, ignoring holidays. */
export function toComparedSession(compared: Compared, session: Day): Day {
  return lastSessionUntil(addDays(session, -DAYS_BACK[compared]));
}

/** Months do not settle on weekends. */
export function lastSessionUntil(day: Day): Day {
  return sessionBefore(addDays(day, 1), { everyDay: false });
}

/** The change of a figure between two sessions; null if one of them lacks the product. */
export function toChange(now: Quantity | null, before: Quantity | null | undefined, session: string): Quantity | null {
  if (now === null || !before) return null;
  return deriveQuantity(now.unit, `Figure − figure of ${session}`, [now, before], ([a, b]) =>
    a && b ? a.minus(b) : null,
  );
}

/** `contango`: each settlement is above the one before it, the perpetual first; `backwardation`: below. */
export type CurveShape = 'contango' | 'backwardation' | 'mixed';

/** Null with fewer than two settlements. */
export function findShape(rows: readonly CurveRow[]): CurveShape | null {
  const values = rows.flatMap(({ kind, settlement }) => (kind === 'constant' ? [] : (settlement?.value ?? [])));
  const steps = values.flatMap((value, index) => {
    const before = values[index - 1];
    return before === undefined ? [] : [value.comparedTo(before)];
  });
  if (steps.length === 0) return null;
  if (steps.every((step) => step > 0)) return 'contango';
  return steps.every((step) => step < 0) ? 'backwardation' : 'mixed';
}
