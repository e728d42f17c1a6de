import { scheduleOf, sessionAt } from '../market/calendar.ts';
import type { Micros, PremiumSample, Session, Trade } from '../core/model.ts';
import type { SavedState, Store } from '../core/ports.ts';
import type { MarketSetup } from './market-setup.ts';
import { publicationOf } from './session-figures.ts';

const DAY = 86_400_000_000;
/** Longer than the time between two publications of open interest of any product. */
const LOOK_BACK = 21 * DAY;

/** The state from which the market resumes. */
export interface ResumeState {
  readonly reached: Micros;
  /** The trades of the sessions in progress, oldest first. */
  readonly trades: readonly Trade[];
  readonly samples: readonly PremiumSample[];
  /** Settled sessions whose open interest is not published yet. */
  readonly unpublished: readonly Session[];
  readonly interest: Map<number, number>;
}

export async function readResumeState(
  store: Store,
  saved: SavedState,
  setup: MarketSetup,
  reached: Micros,
): Promise<ResumeState> {
  const sessions = await store.sessions({ from: reached - LOOK_BACK, until: reached + 1 });
  return {
    reached,
    trades: saved.trades.filter((trade) => isInProgress(trade, setup, reached)),
    samples: saved.samples,
    unpublished: sessions.filter(({ date }) => publicationOf(date) > reached),
    interest: lastInterest(sessions),
  };
}

function isInProgress({ productId, time }: Trade, { products }: MarketSetup, reached: Micros): boolean {
  const product = products.get(productId);
  return product !== undefined && time >= sessionAt(scheduleOf(product.kind), reached).open;
}

function lastInterest(sessions: readonly Session[]): Map<number, number> {
  const last = new Map<number, number>();
  for (const { productId, openInterest } of sessions) if (openInterest !== null) last.set(productId, openInterest);
  return last;
}
