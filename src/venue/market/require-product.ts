import type { Product } from '../core/model.ts';

/** For ids that were checked before. */
export function requireProduct(products: ReadonlyMap<number, Product>, id: number): Product {
  const product = products.get(id);
  if (!product) throw new RangeError(`no product ${id}`);
  return product;
}
