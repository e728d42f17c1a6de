import { sessionAt } from '../market/calendar.ts';
import type { Micros, Product, SessionDate } from '../model.ts';
import type { Exchange } from '../ports.ts';
import type { Ask } from './ask.ts';
import { findProduct, statusAt } from './find-products.ts';
import { toTradingDay } from './range.ts';
import { Refusal } from './refusal.ts';

type Query = Ask<'productSpecs'>['query'];

/** The day asked about, and the instant at which products are seen: now, or the last one of a day that is not today. */
export interface AsOf {
  readonly day: SessionDate;
  readonly isToday: boolean;
  readonly instant: Micros;
}

export function toAsOf(query: Query, now: Micros): AsOf {
  const today = sessionAt('daily', now).date;
  const day = query.day?.[0] ?? today;
  return { day, isToday: day === today, instant: day === today ? now : toTradingDay(day).until - 1 };
}

export function selectProducts(exchange: Exchange, query: Query, { instant }: AsOf): readonly Product[] {
  return [...exchange.products().values()].filter((product) => matches(product, query, instant));
}

/** One product; a flag that leaves nothing of it is as if there were none. */
export function selectProduct(exchange: Exchange, id: string, query: Query, { instant }: AsOf): Product {
  const product = findProduct(exchange, id);
  if (!matches(product, query, instant)) throw new Refusal(404, `Product ${id} is not one of those asked for.`);
  return product;
}

function matches(product: Product, { active, base_symbol: series }: Query, instant: Micros): boolean {
  if (active?.[0] === 'true' && statusAt(product, instant) !== 'active') return false;
  return series?.[0] === undefined || product.baseSymbol === series[0];
}
