import type { DeskProduct } from '#contract/desk/desk.ts';
import type { RuleProductFilter } from '#contract/desk/rules.ts';

/** Returns whether a rule is about a product. */
export function matchesProduct({ symbol, base_symbol: base, type }: DeskProduct, filter: RuleProductFilter): boolean {
  const isAs = (wanted: string | undefined, found: string | undefined): boolean =>
    wanted === undefined || wanted.toLowerCase() === found?.toLowerCase();
  return (
    isAs(filter.symbol, symbol) &&
    isAs(filter.base_symbol, base) &&
    isAs(filter.type, type) &&
    (filter.symbols === undefined || filter.symbols.some((wanted) => isAs(wanted, symbol)))
  );
}
