import type { TradingSession } from '../market/calendar.ts';
import type { Session, Side, Trade } from '../core/model.ts';

/** Prices and totals of a session so far. */
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

/** Of trades in order of time. */
export function summarize(trades: readonly Trade[]): SessionSummary | null {
  let summary: SessionSummary | null = null;
  for (const trade of trades) summary = addTrade(summary, trade);
  return summary;
}

/** The takers whose trades at the quotes around a price make a session's low and high contain it. */
export function takersMissing(price: number, ohlc: Session['ohlc']): readonly Side[] {
  if (ohlc === null) return ['Bid', 'Ask'];
  return price > ohlc.high ? ['Bid'] : price < ohlc.low ? ['Ask'] : [];
}

/** The settled session, without its open interest. */
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
