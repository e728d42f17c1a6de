/** The life of an order. */
export function toLifeAddress(id: string): string {
  return `/orders/life/${id}`;
}
