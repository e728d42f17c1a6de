import type { DeskProduct } from '#contract/desk/desk.ts';

type Addressed = Pick<DeskProduct, 'product_id' | 'symbol'>;

/** Returns the name of a listed product for an address. */
export function nameInAddress({ product_id: id, symbol }: Addressed): string {
  return symbol ?? String(id);
}

export function toPriceAddress(product: Addressed): string {
  return `/price/${encodeURIComponent(nameInAddress(product))}`;
}

export function toVolumeAddress(product: Addressed): string {
  return `/volume/${encodeURIComponent(nameInAddress(product))}`;
}
