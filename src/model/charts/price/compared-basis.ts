import type { Instant } from '#contract/exchange/instant.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { type BasisLeg, computeBasis } from '../../basis/basis.ts';
import { toMillis } from '../../time/session.ts';
import type { Quantity } from '../../units/quantity.ts';
import { type ComparedSession, type SettledProduct, toComparedPrice } from './compared-sessions.ts';

/** A basis that is earned until an expiry. */
export interface ComparedTerms {
  /** The future that expires, or of two the one that expires later. */
  readonly later: SettledProduct;
  readonly earlier: SettledProduct;
  /** The expiry of the earlier one; null for a perpetual: the basis runs from its settlement. */
  readonly from: Instant | null;
  readonly until: Instant;
}

/** Returns between which products the basis is, or why there is none, in a sentence. */
export function toBasisTerms(one: SettledProduct, other: SettledProduct): ComparedTerms | { readonly reason: string } {
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

/** Computes the basis a year between two settlements of a session. */
export function toBasisAYear({ later, earlier, from, until }: ComparedTerms, session: ComparedSession): Quantity {
  const prices = [toComparedPrice(later, session), toComparedPrice(earlier, session)] as const;
  const [end, start] = [later, earlier].map(({ settled }) => settled.get(session.session)?.time);
  const withhold = (withheld: string): Quantity => ({
    value: null,
    unit: 'fraction',
    withheld,
    provenance: {
      kind: 'derived',
      how: `Settlement of ${later.name} against ${earlier.name}.`,
      from: prices,
    },
  });
  if (session.isRunning || end === undefined || start === undefined)
    return withhold('A basis is between settlements, and the session is in progress.');
  const after = from === null ? null : { symbol: earlier.name, expiresAt: from };
  const leg = ({ name: symbol }: SettledProduct, price: Quantity, at: Instant): BasisLeg => ({
    kind: 'settlement',
    symbol,
    price,
    at,
    missingBecause: null,
  });
  const [far, near] = [leg(later, prices[0], end), leg(earlier, prices[1], start)];
  const { aYear, refusedBecause } = computeBasis({ far, near, after, until, mostApart: 0 });
  return aYear ?? withhold(refusedBecause ?? '');
}
