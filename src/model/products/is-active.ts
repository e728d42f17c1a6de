import type { DeskProduct } from '#contract/desk/desk.ts';

/** Whether a product trades; without a status it is taken to. */
export function isActive({ product_status: status }: DeskProduct): boolean {
  return status === undefined || status === 'active';
}
