import type { Micros, Product } from '../model.ts';
import type { Exchange } from '../ports.ts';
import { Refusal } from './refusal.ts';

export function findProduct(exchange: Exchange, id: string): Product {
  const product = exchange.products().get(Number(id));
  if (!product) throw new Refusal(404, `There is no product ${id}.`);
  return product;
}

/** All of a series. */
export function findSeries(exchange: Exchange, baseSymbol: string): readonly Product[] {
  const products = [...exchange.products().values()].filter((product) => product.baseSymbol === baseSymbol);
  if (products.length === 0) throw new Refusal(404, `There is no product with the base symbol ${baseSymbol}.`);
  return products;
}

export type ProductStatus = 'active' | 'forthcoming' | 'expired';

export function statusAt({ listedAt, expiresAt }: Product, instant: Micros): ProductStatus {
  if (instant < listedAt) return 'forthcoming';
  return expiresAt !== null && instant >= expiresAt ? 'expired' : 'active';
}
