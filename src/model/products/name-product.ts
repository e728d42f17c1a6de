import type { DeskProduct } from '#contract/desk/desk.ts';

/** A product that the directory does not describe has no more than its id. */
export function nameProduct({ product_id: id, symbol }: DeskProduct): string {
  return symbol ?? `product ${String(id)}`;
}
