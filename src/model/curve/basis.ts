import type { Instant } from '#contract/exchange/instant.ts';
import { countOf } from '../format/count.ts';
import { formatDay } from '../format/format-time.ts';
import { formatNumber } from '../format/number.ts';
import { dateOf, toMillis } from '../time/session.ts';
import type { Decimal } from '../units/decimal.ts';
import { deriveQuantity, type Quantity } from '../units/quantity.ts';
import { type CurveLeg, type CurveMonth, formatSettledAt } from './curve-months.ts';

/** What a month costs over the perpetual at one settlement. */
export interface Basis {
  /** The month's settlement minus the perpetual's. */
  readonly usd: Quantity | null;
  /** Relative to the perpetual's settlement. */
  readonly fraction: Quantity | null;
  /** Simple, actual/365. */
  readonly aYear: Quantity | null;
  /** Why one of the figures is null or withheld, in a sentence; null if none is. */
  readonly refusedBecause: string | null;
}

const MINUTE_MS = 60_000;
export const MINUTES_OF_DAY = 1_440;
export const MINUTES_OF_YEAR = 365 * MINUTES_OF_DAY;
/** Nearer to expiry, a tick moves a basis a year by whole percents. */
export const LEAST_DAYS = 3;
/** No basis is as large as this, so settlements further apart are in different units. */
export const WRONG_FACTOR = '1.5';

/** Counts the minutes from a settlement to expiry; negative after it. */
export function minutesBetween(settledAt: Instant, expiresAt: Instant): number {
  return Math.round((toMillis(expiresAt) - toMillis(settledAt)) / MINUTE_MS);
}

/**
 * Computes a month's basis against the perpetual's settlement of the same session and the same minute: two settlements
 * of different times differ by what the market moved in between.
 */
export function toBasis(month: CurveMonth, perpetual: CurveLeg | null): Basis {
  const inputs = findInputs(month, perpetual);
  if (typeof inputs === 'string') return { usd: null, fraction: null, aYear: null, refusedBecause: inputs };
  const legs = [inputs.future, inputs.perpetual] as const;
  const usd = deriveQuantity(
    'USD',
    `Settlement of ${inputs.names[0]} − settlement of ${inputs.names[1]}`,
    legs,
    ([a, b]) => (a && b ? a.minus(b) : null),
  );
  const fraction = deriveQuantity(
    'fraction',
    `Basis in USD ÷ settlement of ${inputs.names[1]}`,
    [usd, inputs.perpetual],
    ([difference, base]) => (difference && base ? difference.div(base) : null),
  );
  const minutes = minutesBetween(inputs.settledAt, month.expiresAt);
  if (minutes < LEAST_DAYS * MINUTES_OF_DAY)
    return { usd, fraction, aYear: null, refusedBecause: whyTooNear(month, inputs.settledAt, minutes) };
  return { usd, fraction, aYear: annualise(fraction, minutes), refusedBecause: null };
}

/** Simple, actual/365: the same fraction again and again, without interest on interest. */
function annualise(fraction: Quantity, minutes: number): Quantity {
  const how = `Basis × ${String(MINUTES_OF_YEAR)} minutes of 365 days ÷ ${String(minutes)} minutes to expiry`;
  return deriveQuantity('fraction', how, [fraction], ([value]) => value?.times(MINUTES_OF_YEAR).div(minutes) ?? null);
}

function whyTooNear({ symbol, expiresAt }: CurveMonth, settledAt: Instant, minutes: number): string {
  const days = countOf(Math.max(0, Math.floor(minutes / MINUTES_OF_DAY)), 'day');
  return (
    `${symbol} expires ${days} after its settlement of ${formatDay(dateOf(settledAt))}, on ` +
    `${formatSettledAt(expiresAt)}: a basis is not scaled to a year under ${String(LEAST_DAYS)} days.`
  );
}

interface Inputs {
  readonly future: Quantity;
  readonly perpetual: Quantity;
  readonly settledAt: Instant;
  readonly names: readonly [string, string];
}

/** Returns the two settlements, or why they may not be compared. */
function findInputs(month: CurveMonth, perpetual: CurveLeg | null): Inputs | string {
  if (perpetual === null)
    return `No perpetual of ${month.product.contract_size_unit ?? month.symbol} is listed, so there is no basis.`;
  const names = [month.symbol, perpetual.symbol] as const;
  const [at, than] = [month.settledAt, perpetual.settledAt];
  if (at !== null && than !== null && toMinute(at) !== toMinute(than))
    return `${names[0]} settled on ${formatSettledAt(at)}, and ${names[1]} on ${formatSettledAt(than)}: a basis needs both settlements of the same minute.`;
  if (month.missingBecause !== null) return month.missingBecause;
  if (perpetual.missingBecause !== null) return perpetual.missingBecause;
  for (const { symbol, settlement } of [month, perpetual])
    if (settlement.withheld !== null) return `${symbol}: ${settlement.withheld}`;
  const wrong = whyWrongTickSize(month.settlement.value, perpetual.settlement.value, names);
  return wrong ?? { future: month.settlement, perpetual: perpetual.settlement, settledAt: month.settledAt, names };
}

function toMinute(at: Instant): number {
  return Math.floor(toMillis(at) / MINUTE_MS);
}

function whyWrongTickSize(
  future: Decimal | null,
  perpetual: Decimal | null,
  [name, other]: readonly [string, string],
): string | null {
  if (future?.gt(0) !== true || perpetual?.gt(0) !== true)
    return `The settlements of ${name} and ${other} are not both above zero, so there is no basis.`;
  const [low, high] = future.lt(perpetual) ? [future, perpetual] : [perpetual, future];
  if (high.lt(low.times(WRONG_FACTOR))) return null;
  const factor = formatNumber(high.div(low), { digits: 2 });
  return `${name} settled at ${formatNumber(future)} USD and ${other} at ${formatNumber(perpetual)} USD, a factor of ${factor}: one of the tick sizes must be wrong.`;
}
