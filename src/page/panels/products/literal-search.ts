import type { DeskProduct } from '#contract/desk/desk.ts';
import type { ProductSearch } from '#model/search/product-search.ts';

/** For the moment before the search has loaded: finds the products whose names contain every word. */
export function createLiteralSearch(products: readonly DeskProduct[]): ProductSearch {
  return {
    find: (text) => {
      const words = toLiteralWords(text);
      return products.filter((product) => words.every((word) => toNames(product).includes(word)));
    },
    nearest: () => [],
    marked: toLiteralWords,
  };
}

function toLiteralWords(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/);
}

function toNames({ product_id: id, symbol, product_name: name, type, contract_size_unit: unit }: DeskProduct): string {
  return [symbol, name, type, unit, String(id)].join(' ').toLowerCase();
}
