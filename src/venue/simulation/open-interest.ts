import { addDays, chicagoInstant } from '../market/chicago-time.ts';
import { toNotionalCents } from '../market/money.ts';
import type { Micros, Product, Session, SessionDate } from '../core/model.ts';
import { activityOf } from './products/activity.ts';
import { createRandom } from '../core/random.ts';

const PUBLICATION_HOUR = 8;
/** Usual open interest, in days of trading. */
const OPEN_DAYS = 2.5;
const DAY = 86_400_000_000;
/** On one day, this long before genesis, open interest was not published. */
const MISSING_BEFORE_DAYS = 12;

/** Open interest is published once, at 8:00 in Chicago on the morning after. */
export function publicationOf(date: SessionDate): Micros {
  return chicagoInstant(addDays(date, 1), PUBLICATION_HOUR);
}

export interface InterestContext {
  readonly seed: number;
  readonly genesis: Micros;
}

/**
 * The session with its open interest. Trades do not show how many of them opened and how many closed positions: the
 * share is random, but the same for the same seed.
 */
export function publishInterest(
  session: Session,
  product: Product,
  before: number,
  { seed, genesis }: InterestContext,
): { readonly session: Session; readonly open: number } {
  const open = nextInterest(session, product, before, seed);
  const missing =
    session.settledAt <= genesis - MISSING_BEFORE_DAYS * DAY &&
    session.settledAt > genesis - (MISSING_BEFORE_DAYS + 1) * DAY;
  const neverTraded = session.volume === null && before === 0;
  if (missing || neverTraded) return { session, open };
  return {
    session: { ...session, openInterest: open, openInterestCents: toNotionalCents(product, session.settlement, open) },
    open,
  };
}

function nextInterest({ date, volume, settledAt }: Session, product: Product, before: number, seed: number): number {
  if (settledAt === product.expiresAt) return 0;
  if (volume === null) return before;
  const { tradesPerDay, quantity } = activityOf(product, settledAt);
  const random = createRandom(seed, `interest/${product.id}/${date}`);
  const drift = (tradesPerDay * quantity * OPEN_DAYS - before) * 0.05;
  const change = Math.round(drift + volume * 0.1 * random.normal());
  // Open interest cannot change by more than the volume.
  return Math.max(0, before + Math.min(volume, Math.max(-volume, change)));
}
