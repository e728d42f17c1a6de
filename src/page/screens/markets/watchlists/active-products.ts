import type { Watchlist } from '#page/panels/products/watchlist-store.ts';

/** Returns the products of a list that are not active. */
export function findInactive(
  { products }: Watchlist,
  active: readonly { readonly productId: number }[],
): readonly number[] {
  const ids = new Set(active.map(({ productId }) => productId));
  return products.filter((id) => !ids.has(id));
}

export function removeProducts(lists: readonly Watchlist[], id: string, gone: readonly number[]): readonly Watchlist[] {
  return lists.map((list) =>
    list.id === id ? { ...list, products: list.products.filter((product) => !gone.includes(product)) } : list,
  );
}
