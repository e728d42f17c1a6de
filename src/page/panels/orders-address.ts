/** Returns the address of an account’s working orders, which has its alias instead of its code. */
export function toAccountAddress(alias: string): string {
  return `/orders?own=${encodeURIComponent(`account:is:*${alias}*`)}`;
}

/** Returns the address of a product’s working orders. */
export function toOrdersAddress(symbol: string): string {
  return `/orders?f=${encodeURIComponent(`product:is:${symbol}`)}`;
}
