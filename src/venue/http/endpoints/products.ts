import { sessionAt } from '../../market/calendar.ts';
import type { Micros, Product, SessionDate } from '../../core/model.ts';
import type { Exchange } from '../../core/ports.ts';
import type { ApiRequest } from '../handler.ts';
import { toTradingDay } from '../range.ts';
import { Refusal } from '../refusal.ts';

export function findProduct(exchange: Exchange, id: string): Product {
  const product = exchange.products().get(Number(id));
  if (!product) throw new Refusal(404, `There is no product ${id}.`);
  return product;
}

export function findSeries(exchange: Exchange, baseSymbol: string): readonly Product[] {
  const products = [...exchange.products().values()].filter((product) => product.baseSymbol === baseSymbol);
  if (products.length === 0) throw new Refusal(404, `No product has the base symbol ${baseSymbol}.`);
  return products;
}

export type ProductStatus = 'active' | 'forthcoming' | 'expired';

export function statusAt({ listedAt, expiresAt }: Product, instant: Micros): ProductStatus {
  if (instant < listedAt) return 'forthcoming';
  return expiresAt !== null && instant >= expiresAt ? 'expired' : 'active';
}

/** The requested day, and the instant to show products at: now, or the last instant of a day other than today. */
export interface AsOf {
  readonly day: SessionDate;
  readonly isToday: boolean;
  readonly instant: Micros;
}

export function toAsOf(query: ApiRequest<'productSpec'>['query'], now: Micros): AsOf {
  const today = sessionAt('daily', now).date;
  const day = query.day?.[0] ?? today;
  return { day, isToday: day === today, instant: day === today ? now : toTradingDay(day).until - 1 };
}

export function selectProducts(
  exchange: Exchange,
  query: ApiRequest<'productSpecs'>['query'],
  { instant }: AsOf,
): readonly Product[] {
  const [series, onlyActive] = [query.base_symbol?.[0], query.active?.[0] === 'true'];
  return [...exchange.products().values()].filter(
    (product) =>
      (series === undefined || product.baseSymbol === series) &&
      (!onlyActive || statusAt(product, instant) === 'active'),
  );
}
