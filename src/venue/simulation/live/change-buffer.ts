import type { MatchResult } from '../../market/matching.ts';
import type { FundingInterval, Order, PremiumSample, Session, Trade } from '../../model.ts';
import type { Changes } from '../../ports.ts';
import { toNanos } from '../order-ids.ts';
import { addTrade, type SessionSummary } from '../session-summary.ts';

/** What has happened and is not on disk yet, and what the sessions in progress have come to. */
export interface ChangeBuffer {
  readonly record: (outcome: MatchResult) => void;
  readonly addSession: (session: Session) => void;
  readonly addFunding: (interval: FundingInterval) => void;
  readonly addSample: (sample: PremiumSample) => void;
  readonly summaryOf: (productId: number) => SessionSummary | null;
  readonly endSession: (productId: number) => void;
  /** A time of its own for each thing that happens: never two alike, and never back. */
  readonly stamp: (time: number) => bigint;
  /** How much waits to be taken. */
  readonly size: () => number;
  /** Hands over what has happened since the last time. */
  readonly take: () => Changes;
}

export function createChangeBuffer(tradedBefore: Iterable<Trade>): ChangeBuffer {
  const tallies = new Map<number, SessionSummary>();
  const count = (trade: Trade): void => {
    tallies.set(trade.productId, addTrade(tallies.get(trade.productId) ?? null, trade));
  };
  for (const trade of tradedBefore) count(trade);
  let waiting = nothing();
  let last = 0n;

  return {
    record: ({ orders, trades }) => {
      waiting.orders.push(...orders);
      waiting.trades.push(...trades);
      for (const trade of trades) count(trade);
    },
    addSession: (session) => waiting.sessions.push(session),
    addFunding: (interval) => waiting.funding.push(interval),
    addSample: (sample) => waiting.samples.push(sample),
    summaryOf: (productId) => tallies.get(productId) ?? null,
    endSession: (productId) => tallies.delete(productId),
    stamp: (time) => {
      const byClock = toNanos(time);
      last = byClock > last ? byClock + ((byClock / 1000n) % 97n) : last + 1n;
      return last;
    },
    size: () => waiting.orders.length + waiting.trades.length + waiting.samples.length + waiting.sessions.length,
    take: () => {
      const taken = waiting;
      waiting = nothing();
      return taken;
    },
  };
}

function nothing() {
  return {
    orders: new Array<Order>(),
    trades: new Array<Trade>(),
    sessions: new Array<Session>(),
    funding: new Array<FundingInterval>(),
    samples: new Array<PremiumSample>(),
  };
}
