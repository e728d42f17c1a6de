import { addDays, chicagoInstant, type TradingSession } from '../market/calendar.ts';
import { toNotionalCents } from '../market/money.ts';
import type { Micros, Product, Session, SessionDate, Side, Trade } from '../core/model.ts';
import { activityOf } from './products/activity.ts';
import { createRandom } from '../core/random.ts';

const PUBLICATION_HOUR = 8;
/** The usual open interest, in days of trading. */
const OPEN_DAYS = 2.5;
const DAY = 86_400_000_000;
/** How long before genesis the one day was on which open interest was not published. */
const MISSING_BEFORE_DAYS = 12;

/** Returns when a session's open interest is published: at 8:00 in Chicago on the morning after. */
export function publicationOf(date: SessionDate): Micros {
  return chicagoInstant(addDays(date, 1), PUBLICATION_HOUR);
}

interface InterestContext {
  readonly seed: number;
  readonly genesis: Micros;
}

/**
 * Returns the session with its open interest. Trades do not show how many of them opened or closed positions: the share
 * is random, but always the same for the same seed.
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

/** The prices and totals of a session so far. */
export interface SessionSummary {
  readonly ohlc: NonNullable<Session['ohlc']>;
  readonly volume: number;
  readonly cents: number;
}

export function addTrade(summary: SessionSummary | null, { price, quantity, cents }: Trade): SessionSummary {
  if (summary === null) {
    return { ohlc: { open: price, high: price, low: price, close: price }, volume: quantity, cents };
  }
  const { open, high, low } = summary.ohlc;
  return {
    ohlc: { open, high: Math.max(high, price), low: Math.min(low, price), close: price },
    volume: summary.volume + quantity,
    cents: summary.cents + cents,
  };
}

/** Summarizes trades, which must be sorted by time. */
export function summarize(trades: readonly Trade[]): SessionSummary | null {
  let summary: SessionSummary | null = null;
  for (const trade of trades) summary = addTrade(summary, trade);
  return summary;
}

/** Returns the takers whose trades, at the quotes around a price, extend a session's low and high to contain it. */
export function takersMissing(price: number, ohlc: Session['ohlc']): readonly Side[] {
  if (ohlc === null) return ['Bid', 'Ask'];
  return price > ohlc.high ? ['Bid'] : price < ohlc.low ? ['Ask'] : [];
}

/** Returns the settled session, without its open interest. */
export function toSession(
  productId: number,
  session: TradingSession,
  summary: SessionSummary | null,
  settlement: number,
): Session {
  return {
    productId,
    date: session.date,
    settledAt: session.settle,
    ohlc: summary?.ohlc ?? null,
    settlement,
    volume: summary?.volume ?? null,
    cents: summary?.cents ?? null,
    openInterest: null,
    openInterestCents: null,
  };
}
