import type { DeskProduct } from '#contract/desk/desk.ts';

/** Returns whether a product trades. A product without a status is assumed to. */
export function isActive({ product_status: status }: DeskProduct): boolean {
  return status === undefined || status === 'active';
}
