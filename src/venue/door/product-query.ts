import { sessionAt } from '../market/calendar.ts';
import type { Micros, Product, SessionDate } from '../model.ts';
import type { Exchange } from '../ports.ts';
import type { Ask } from './ask.ts';
import { statusAt } from './find-products.ts';
import { toTradingDay } from './range.ts';

/** The day asked about, and the instant at which products are seen: now, or the last one of a day that is not today. */
export interface AsOf {
  readonly day: SessionDate;
  readonly isToday: boolean;
  readonly instant: Micros;
}

export function toAsOf(query: Ask<'productSpec'>['query'], now: Micros): AsOf {
  const today = sessionAt('daily', now).date;
  const day = query.day?.[0] ?? today;
  return { day, isToday: day === today, instant: day === today ? now : toTradingDay(day).until - 1 };
}

export function selectProducts(
  exchange: Exchange,
  query: Ask<'productSpecs'>['query'],
  { instant }: AsOf,
): readonly Product[] {
  const [series, onlyActive] = [query.base_symbol?.[0], query.active?.[0] === 'true'];
  return [...exchange.products().values()].filter(
    (product) =>
      (series === undefined || product.baseSymbol === series) &&
      (!onlyActive || statusAt(product, instant) === 'active'),
  );
}
