import { formatNumber, formatPercent } from '../format/number.ts';
import { formatDay } from '../format/format-time.ts';
import { toDecimal } from '../units/decimal.ts';
import { toMillis } from '../time/session.ts';
import type { FundingPrices } from './basis-over.ts';
import { type ComparedCurve, type CurveDay, findFront, type FrontMonth, nameCompared } from './curve-days.ts';
import { formatMinutes, formatSettledAt, MINUTES_OF_DAY } from '../basis/basis.ts';
import { countApart, type CurveFigure, type CurveRow, findShape, whyMissing } from './curve-rows.ts';

const PERCENT = { digits: 2 } as const;
const SIGNED = { digits: 2, signed: true } as const;

/** Says in words what the curve pays: `Contango: longs of Z26 pay 4.60 % a year over the perpetual`. */
export function describeCurve({ rows, session, curve, over }: CurveDay): string {
  const shape = findShape(rows);
  if (shape === null) return `No two settlements of ${formatDay(session)} to compare`;
  const front = findFront(rows);
  if (over !== null) {
    if (front === null) return `No basis over the ${over.over} of the perpetual`;
    if (countApart(front) !== 0) return describeApart(front, over);
  }
  const word = { contango: 'Contango', backwardation: 'Backwardation', mixed: 'Neither contango nor backwardation' }[
    shape
  ];
  if (front === null) return `${word}: ${describeSteps(rows)}`;
  const { value, name } = front;
  const size = `${formatPercent(value.abs(), PERCENT)} % a year`;
  const near = over === null ? 'the perpetual' : `the ${over.over} of the perpetual`;
  if (value.isZero()) return `${word}: ${name} settled at ${near}`;
  const payers = value.gt(0) ? `longs of ${name} pay ${size} over` : `shorts of ${name} pay ${size} under`;
  return `${word}: ${payers} ${near}${curve.perpetual === null ? '' : ` ${curve.perpetual.symbol}`}`;
}

/** Prices of different minutes neither make a shape nor say who pays, since the market moved between them. */
function describeApart(front: FrontMonth, { over }: FundingPrices): string {
  const { name, value, settledAt, near } = front;
  const isLater = settledAt !== null && near?.at ? toMillis(near.at) > toMillis(settledAt) : false;
  const other = `the ${over} of ${formatMinutes(countApart(front) ?? 0)} ${isLater ? 'later' : 'earlier'}`;
  const size = `${formatPercent(value.abs(), PERCENT)} % a year ${value.gt(0) ? 'over' : 'under'}`;
  return `${name} settled ${value.isZero() ? 'at' : size} ${other}, which includes what the market moved meanwhile`;
}

/** Without a basis, the shape is all there is to say. */
function describeSteps(rows: readonly CurveRow[]): string {
  const settled = rows.filter(({ kind, settlement }) => kind === 'month' && (settlement?.value ?? null) !== null);
  const [first, last] = [settled[0], settled.at(-1)];
  const [low, high] = [first?.settlement?.value, last?.settlement?.value];
  if (first === undefined || last === undefined || !low || !high) return 'no month has settled';
  const difference = formatNumber(high.minus(low), { signed: true });
  return `${last.name} settled ${difference} USD from ${first.name}`;
}

/** Says what the front month's basis was on each earlier session: `Z26, previous session, 26 Nov 2026: +4.90 %`. */
export function describeEarlier({ rows }: CurveDay, compared: readonly ComparedCurve[]): string {
  const front = findFront(rows);
  if (front === null) return '';
  const parts = compared.flatMap((earlier) => {
    const { curve } = earlier;
    if (curve === undefined) return [];
    if ('missingBecause' in curve) return [`${nameCompared(earlier)}: ${curve.missingBecause}`];
    const before = curve.rows.find(({ key }) => key === front.key)?.aYear?.value ?? null;
    return [`${nameCompared(earlier)}: ${before === null ? 'none' : `${formatPercent(before, SIGNED)} %`}`];
  });
  return parts.length === 0 ? '' : `${front.name}, ${parts.join(' · ')}`;
}

/** Says when the index or mark was that the basis is measured over, and how far from the settlement; empty without one. */
export function describeOver({ rows, over }: CurveDay): string {
  const month = rows.find(({ kind, near }) => kind === 'month' && near?.at);
  const apart = month === undefined ? null : countApart(month);
  if (over === null || !month?.near?.at || apart === null) return '';
  const name = over.over === 'index' ? 'Index' : 'Mark';
  return `${name} of ${formatSettledAt(month.near.at)}, ${formatMinutes(apart)} from the settlement.`;
}

/** Lists why points are not drawn, each sentence once, with the session of a curve that is not the newest. */
export function listGaps(days: readonly CurveDay[], figure: CurveFigure): readonly string[] {
  const sentences = days.flatMap(({ rows }) =>
    rows.flatMap((row) => (row.kind === 'perpetual' && figure !== 'settlement' ? [] : (whyMissing(row, figure) ?? []))),
  );
  return [...new Set(sentences)];
}

/** The days from the settlement to expiry, to a tenth. */
export function formatDays(minutes: number | null): string {
  return minutes === null ? '–' : formatNumber(toDecimal(String(minutes)).div(MINUTES_OF_DAY), { digits: 1 });
}
