import { scheduleOf, sessionAt, type Schedule, type TradingSession } from '../../market/calendar.ts';
import type { Micros, Product } from '../../core/model.ts';

/** The calendar with the last session cached, for frequent look-ups of nearby instants. */
export interface CachedCalendar {
  /** The session that is open, or the next one. */
  readonly sessionOf: (product: Product, time: Micros) => TradingSession;
  readonly isOpen: (product: Product, time: Micros) => boolean;
}

export function createCachedCalendar(): CachedCalendar {
  const known = new Map<Schedule, { readonly from: Micros; readonly session: TradingSession }>();
  const sessionOf: CachedCalendar['sessionOf'] = ({ kind }, time) => {
    const schedule = scheduleOf(kind);
    const last = known.get(schedule);
    if (last !== undefined && time >= last.from && time < last.session.settle) return last.session;
    const session = sessionAt(schedule, time);
    known.set(schedule, { from: time, session });
    return session;
  };
  return { sessionOf, isOpen: (product, time) => sessionOf(product, time).open <= time };
}
