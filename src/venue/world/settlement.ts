import { scheduleOf, sessionAt, type Schedule, type TradingSession } from '../market/calendar.ts';
import type { Micros, Product, Session } from '../model.ts';
import { RANKS, type Agenda } from './agenda.ts';
import type { Floor } from './floor.ts';
import type { Ledger } from './ledger.ts';
import { publicationOf, publishInterest } from './open-interest.ts';
import { toSession } from './tally.ts';

export interface SettlementContext {
  readonly floor: Floor;
  readonly agenda: Agenda;
  readonly ledger: Ledger;
  /** Open interest by product, as last published; kept up to date here. */
  readonly interest: Map<number, number>;
  /** Told once the products of the next days are known. */
  readonly onListed: (products: readonly Product[], time: Micros) => void;
}

/** Ends the sessions of a schedule when their time has come, from now on. */
export function startSettlement(schedule: Schedule, time: Micros, context: SettlementContext): void {
  const session = sessionAt(schedule, time);
  context.agenda.add(session.settle, RANKS.settlement, (now) => {
    const settled = settleSession(schedule, session, context);
    startPublication(settled, context);
    context.onListed(context.floor.universe.extend(now), now);
    startSettlement(schedule, now, context);
  });
}

/** Has the open interest of settled sessions published in the morning after. */
export function startPublication(sessions: readonly Session[], context: SettlementContext): void {
  const { floor, agenda, ledger, interest } = context;
  for (const [date, ofDay] of Map.groupBy(sessions, (session) => session.date)) {
    agenda.add(publicationOf(date), RANKS.publication, () => {
      for (const session of ofDay) {
        const product = floor.products.get(session.productId);
        if (product === undefined) continue;
        const published = publishInterest(session, product, interest.get(product.id) ?? 0, floor.story);
        interest.set(product.id, published.open);
        if (published.session !== session) ledger.addSession(published.session);
      }
    });
  }
}

function settleSession(schedule: Schedule, session: TradingSession, { floor, ledger }: SettlementContext): Session[] {
  const { products, matching, prices } = floor;
  const stamp = ledger.stamp(session.settle);
  const settled: Session[] = [];
  for (const product of products.values()) {
    const { id, kind, listedAt, expiresAt } = product;
    const trades = listedAt < session.settle && (expiresAt === null || session.settle <= expiresAt);
    if (scheduleOf(kind) !== schedule || !trades) continue;
    ledger.record(expiresAt === session.settle ? matching.delist(id, stamp) : matching.endSession(id, stamp));
    const settlement = Math.round(prices.exact.fair(product, session.settle));
    const row = toSession(id, session, ledger.tallyOf(id), settlement);
    ledger.addSession(row);
    ledger.endTally(id);
    settled.push(row);
  }
  return settled;
}
