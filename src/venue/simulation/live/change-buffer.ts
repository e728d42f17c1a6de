import type { MatchResult } from '../../market/matching.ts';
import type { FundingInterval, Order, PremiumSample, Session, Trade } from '../../core/model.ts';
import type { Changes } from '../../core/ports.ts';
import { toNanos } from '../order-ids.ts';
import { addTrade, type SessionSummary } from '../session-figures.ts';

/** Changes that are not on disk yet, and the summaries of the sessions in progress. */
export interface ChangeBuffer {
  readonly record: (outcome: MatchResult) => void;
  readonly addSession: (session: Session) => void;
  readonly addFunding: (interval: FundingInterval) => void;
  readonly addSample: (sample: PremiumSample) => void;
  readonly summaryOf: (productId: number) => SessionSummary | null;
  readonly endSession: (productId: number) => void;
  /** Returns a strictly increasing timestamp for each event. */
  readonly stamp: (time: number) => bigint;
  /** Returns the number of buffered changes. */
  readonly size: () => number;
  /** Returns the buffered changes and empties the buffer. */
  readonly take: () => Changes;
}

export function createChangeBuffer(tradedBefore: Iterable<Trade>): ChangeBuffer {
  const summaries = new Map<number, SessionSummary>();
  const count = (trade: Trade): void => {
    summaries.set(trade.productId, addTrade(summaries.get(trade.productId) ?? null, trade));
  };
  for (const trade of tradedBefore) count(trade);
  let buffered = noChanges();
  let last = 0n;

  return {
    record: ({ orders, trades }) => {
      buffered.orders.push(...orders);
      buffered.trades.push(...trades);
      for (const trade of trades) count(trade);
    },
    addSession: (session) => buffered.sessions.push(session),
    addFunding: (interval) => buffered.funding.push(interval),
    addSample: (sample) => buffered.samples.push(sample),
    summaryOf: (productId) => summaries.get(productId) ?? null,
    endSession: (productId) => summaries.delete(productId),
    stamp: (time) => {
      const byClock = toNanos(time);
      last = byClock > last ? byClock + ((byClock / 1000n) % 97n) : last + 1n;
      return last;
    },
    size: () => buffered.orders.length + buffered.trades.length + buffered.samples.length + buffered.sessions.length,
    take: () => {
      const taken = buffered;
      buffered = noChanges();
      return taken;
    },
  };
}

function noChanges() {
  return {
    orders: new Array<Order>(),
    trades: new Array<Trade>(),
    sessions: new Array<Session>(),
    funding: new Array<FundingInterval>(),
    samples: new Array<PremiumSample>(),
  };
}
