import { scheduleOf, sessionAt } from '../market/calendar.ts';
import type { Micros, Session, Trade } from '../model.ts';
import type { SavedState, Store } from '../ports.ts';
import type { Floor } from './floor.ts';
import { publicationOf } from './open-interest.ts';
import type { Standing } from './simulation.ts';

const DAY = 86_400_000_000;
/** Longer than any product goes between two publications. */
const LOOK_BACK = 21 * DAY;

/** Where the market stood, from what the store has kept. */
export async function readStanding(store: Store, saved: SavedState, floor: Floor, reached: Micros): Promise<Standing> {
  const sessions = await store.sessions({ from: reached - LOOK_BACK, until: reached + 1 });
  return {
    reached,
    trades: saved.trades.filter((trade) => isInProgress(trade, floor, reached)),
    samples: saved.samples,
    unpublished: sessions.filter(({ date }) => publicationOf(date) > reached),
    interest: lastInterest(sessions),
  };
}

function isInProgress({ productId, time }: Trade, { products }: Floor, reached: Micros): boolean {
  const product = products.get(productId);
  return product !== undefined && time >= sessionAt(scheduleOf(product.kind), reached).open;
}

function lastInterest(sessions: readonly Session[]): Map<number, number> {
  const last = new Map<number, number>();
  for (const { productId, openInterest } of sessions) if (openInterest !== null) last.set(productId, openInterest);
  return last;
}
