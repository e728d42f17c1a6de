/** Returns the address of a product’s working orders. */
export function toOrdersAddress(symbol: string): string {
  return `/orders?f=${encodeURIComponent(`product:is:${symbol}`)}`;
}
