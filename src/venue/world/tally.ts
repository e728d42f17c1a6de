import type { TradingSession } from '../market/calendar.ts';
import type { Session, Trade } from '../model.ts';

/** What a session has come to so far. */
export interface Tally {
  readonly ohlc: NonNullable<Session['ohlc']>;
  readonly volume: number;
  readonly cents: number;
}

/** The tally with one more trade: a session is the sum of its trades. */
export function addTrade(tally: Tally | null, { price, quantity, cents }: Trade): Tally {
  if (tally === null) {
    return { ohlc: { open: price, high: price, low: price, close: price }, volume: quantity, cents };
  }
  const { open, high, low } = tally.ohlc;
  return {
    ohlc: { open, high: Math.max(high, price), low: Math.min(low, price), close: price },
    volume: tally.volume + quantity,
    cents: tally.cents + cents,
  };
}

/** The trades' tally; they are given in the order of time. */
export function tallyOf(trades: readonly Trade[]): Tally | null {
  let tally: Tally | null = null;
  for (const trade of trades) tally = addTrade(tally, trade);
  return tally;
}

/** The settled session, its open interest still to be published. */
export function toSession(
  productId: number,
  session: TradingSession,
  tally: Tally | null,
  settlement: number,
): Session {
  return {
    productId,
    date: session.date,
    settledAt: session.settle,
    ohlc: tally?.ohlc ?? null,
    settlement,
    volume: tally?.volume ?? null,
    cents: tally?.cents ?? null,
    openInterest: null,
    openInterestCents: null,
  };
}
