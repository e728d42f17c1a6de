import type { Instant } from '#contract/exchange/instant.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { countOf } from '../../format/count.ts';
import { toMillis } from '../../time/session.ts';
import { toDecimal } from '../../units/decimal.ts';
import { deriveQuantity, type Quantity } from '../../units/quantity.ts';
import { type ComparedSession, type SettledProduct, toComparedPrice } from './compared-sessions.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const MINUTES_A_DAY = 1_440;
const DAYS_A_YEAR = 365;
/** A year of a basis that is left for fewer days would be a multiple of noise. */
const LEAST_DAYS = 3;

/** A basis that is earned until an expiry. */
export interface BasisTerms {
  /** The future that expires, or of two the one that expires later. */
  readonly later: SettledProduct;
  readonly earlier: SettledProduct;
  /** The expiry of the earlier one; null for a perpetual: the basis runs from its settlement. */
  readonly from: Instant | null;
  readonly until: Instant;
}

/** Returns between which products the basis is, or why there is none, in a sentence. */
export function toBasisTerms(one: SettledProduct, other: SettledProduct): BasisTerms | { readonly reason: string } {
  const refuse = (why: string) => ({ reason: `No basis of ${other.name} against ${one.name}: ${why}` });
  const odd = [one, other].find(({ product }) => product?.type !== 'future' && product?.type !== 'perpetual');
  if (odd !== undefined) return refuse(`${odd.name} is no future or perpetual.`);
  const [ours, theirs] = [one, other].map(({ product }) => product?.contract_size_unit);
  if (ours === undefined || theirs === undefined) return refuse('the underlying of one is not published.');
  if (ours !== theirs) return refuse(`the underlying of one is ${ours}, of the other ${theirs}.`);
  const undated = [one, other].find(({ product }) => product?.type === 'future' && expiryOf(product) === null);
  if (undated !== undefined) return refuse(`the expiry of ${undated.name} is not published.`);
  const [first, second] = [expiryOf(one.product), expiryOf(other.product)];
  if (first === null || second === null) {
    const until = first ?? second;
    if (until === null) return refuse('neither expires.');
    return { ...(first === null ? { later: other, earlier: one } : { later: one, earlier: other }), from: null, until };
  }
  if (toMillis(first) === toMillis(second)) return refuse('both expire at the same time.');
  return toMillis(first) < toMillis(second)
    ? { later: other, earlier: one, from: first, until: second }
    : { later: one, earlier: other, from: second, until: first };
}

function expiryOf(product: DeskProduct | null): Instant | null {
  return product?.type === 'future' ? (product.final_settle_time ?? null) : null;
}

/** Computes the basis a year, simple, by the minutes to expiry and a year of 365 days. */
export function toBasis({ later, earlier, from, until }: BasisTerms, session: ComparedSession): Quantity {
  const prices = [toComparedPrice(later, session), toComparedPrice(earlier, session)] as const;
  const [end, start] = [later, earlier].map(({ settled }) => settled.get(session.session)?.time ?? null);
  const withhold = (withheld: string): Quantity => ({
    value: null,
    unit: 'fraction',
    withheld,
    provenance: { kind: 'derived', how: `Settlement of ${later.name} against ${earlier.name}.`, from: prices },
  });
  if (session.isRunning || !end || !start)
    return withhold('A basis is between settlements, and the session is in progress.');
  const apart = Math.abs(toMillis(end) - toMillis(start));
  if (apart >= HOUR_MS) return withhold(`The two settled ${countOf(Math.round(apart / MINUTE_MS), 'minute')} apart.`);
  const begin = from ?? end;
  const minutes = Math.round((toMillis(until) - toMillis(begin)) / MINUTE_MS);
  if (minutes < LEAST_DAYS * MINUTES_A_DAY)
    return withhold(`Fewer than ${countOf(LEAST_DAYS, 'day')} from ${begin} until the expiry of ${later.name}.`);
  if (prices[1].value?.gt(0) === false) return withhold(`The settlement of ${earlier.name} is not above zero.`);
  const days = toDecimal(String(minutes)).div(MINUTES_A_DAY);
  return deriveQuantity(
    'fraction',
    `(Settlement of ${later.name} ÷ settlement of ${earlier.name} − 1) × ${String(DAYS_A_YEAR)} ÷ ` +
      `${days.toDecimalPlaces(4).toFixed()} days, from ${begin} until ${until}, to the minute.`,
    prices,
    ([far, near]) =>
      far && near
        ? far
            .minus(near)
            .times(DAYS_A_YEAR * MINUTES_A_DAY)
            .div(near.times(minutes))
        : null,
  );
}
