import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { formatNumber } from '../format/number.ts';
import { toDecimal } from '../units/decimal.ts';
import { matchesProduct } from './matches-product.ts';

/** A price at which a rule raises an alert. */
export interface PriceLevel {
  /** ID of the rule. */
  readonly id: string;
  readonly name: string;
  readonly usd: number;
  /** `over 110,000`. */
  readonly words: string;
}

/** Returns the levels of the rules about the price of a product that are on, the highest first. */
export function findPriceLevels(rules: readonly Rule[], product: DeskProduct): readonly PriceLevel[] {
  return rules
    .flatMap((rule) =>
      rule.about === 'market' && rule.measure === 'price' && rule.enabled && matchesProduct(product, rule.filter)
        ? [rule]
        : [],
    )
    .map(({ id, name, comparison, value }) => ({
      ...{ id, name, usd: value },
      words: `${comparison} ${formatNumber(toDecimal(String(value)))}`,
    }))
    .toSorted((a, b) => b.usd - a.usd);
}
