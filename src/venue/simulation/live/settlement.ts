import { scheduleOf, sessionAt, type Schedule, type TradingSession } from '../../market/calendar.ts';
import type { Micros, Product, Session } from '../../core/model.ts';
import { EVENT_RANKS, type EventQueue } from './event-queue.ts';
import type { MarketSetup } from '../market-setup.ts';
import type { ChangeBuffer } from './change-buffer.ts';
import { publicationOf, publishInterest, toSession } from '../session-figures.ts';
import type { MarketMakers } from './market-makers.ts';
import { tradeUpTo } from './traders.ts';

export interface SettlementContext {
  readonly setup: MarketSetup;
  readonly events: EventQueue;
  readonly buffer: ChangeBuffer;
  readonly makers: MarketMakers;
  /** The open interest by product, as last published. It is updated by each publication. */
  readonly interest: Map<number, number>;
  /** Called with newly announced products. */
  readonly onListed: (products: readonly Product[], time: Micros) => void;
}

/** Starts settling the sessions of a schedule at their settlement times. */
export function startSettlement(schedule: Schedule, time: Micros, context: SettlementContext): void {
  const session = sessionAt(schedule, time);
  context.events.add(session.settle, EVENT_RANKS.close, () => {
    closeSession(schedule, session, context);
  });
  context.events.add(session.settle, EVENT_RANKS.settlement, (now) => {
    const settled = settleSession(schedule, session, context);
    startPublication(settled, context);
    context.onListed(context.setup.universe.extend(now), now);
    startSettlement(schedule, now, context);
  });
}

/** Schedules the publication of settled sessions' open interest, on the morning after. */
export function startPublication(sessions: readonly Session[], context: SettlementContext): void {
  const { setup, events, buffer, interest } = context;
  for (const [date, ofDay] of Map.groupBy(sessions, (session) => session.date)) {
    events.add(publicationOf(date), EVENT_RANKS.publication, () => {
      for (const session of ofDay) {
        const product = setup.products.get(session.productId);
        if (product === undefined) continue;
        const published = publishInterest(session, product, interest.get(product.id) ?? 0, setup.settings);
        interest.set(product.id, published.open);
        if (published.session !== session) buffer.addSession(published.session);
      }
    });
  }
}

/**
 * Makes the last trades of a session. This is a separate event, because those of every schedule must precede the first
 * settlement at that instant.
 */
function closeSession(schedule: Schedule, session: TradingSession, { setup, buffer, makers }: SettlementContext): void {
  // The instant of settlement belongs to the next session.
  const last = session.settle - 1;
  for (const product of productsOf(schedule, session, setup)) {
    if (buffer.summaryOf(product.id) === null) continue;
    makers.refresh(product, last);
    tradeUpTo(settlementOf(product, session, setup), product, last, { setup, buffer });
  }
}

function settleSession(schedule: Schedule, session: TradingSession, { setup, buffer }: SettlementContext): Session[] {
  const { matching } = setup;
  const stamp = buffer.stamp(session.settle);
  const settled: Session[] = [];
  for (const product of productsOf(schedule, session, setup)) {
    const { id, expiresAt } = product;
    buffer.record(expiresAt === session.settle ? matching.delist(id, stamp) : matching.endSession(id, stamp));
    const row = toSession(id, session, buffer.summaryOf(id), settlementOf(product, session, setup));
    buffer.addSession(row);
    buffer.endSession(id);
    settled.push(row);
  }
  return settled;
}

function productsOf(schedule: Schedule, { settle }: TradingSession, { products }: MarketSetup): Product[] {
  return [...products.values()].filter(
    ({ kind, listedAt, expiresAt }) =>
      scheduleOf(kind) === schedule && listedAt < settle && (expiresAt === null || settle <= expiresAt),
  );
}

function settlementOf(product: Product, { settle }: TradingSession, { prices }: MarketSetup): number {
  return Math.round(prices.exact.fair(product, settle));
}
