import type { DeskProduct } from '#contract/desk/desk.ts';
import type { MarketRule, RuleProductFilter } from '#contract/desk/rules.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { isActive } from '../products/is-active.ts';
import { toLastPrices } from '../markets/last-price.ts';
import { nameProduct } from '../products/name-product.ts';
import { toRunningChange } from '../price/running-change.ts';
import type { Sourced } from '../source.ts';
import { asContracts } from '../units/conversions.ts';
import type { Decimal } from '../units/decimal.ts';
import { toQuantity } from '../units/quantity.ts';
import {
  isMissing,
  NO_EVIDENCE,
  type Evaluation,
  type GroupReading,
  type MarketReading,
  type Missing,
} from './readings.ts';
import { judge } from './verdict.ts';

/** Null: the exchange publishes none, as before the first trade. */
interface Measured {
  readonly value: Decimal | null;
  readonly withheld: string | null;
}

/** One group a product. Of those that are remembered it is said, too, why there is nothing to say any more. */
export function evaluateMarket(
  rule: MarketRule,
  market: MarketReading | Missing,
  remembered: readonly string[] = [],
): Evaluation {
  if (isMissing(market)) return market;
  const rows = new Map(market.data.value.map((row) => [toNumber(row.product_id), row]));
  const listed = new Map(
    market.products
      .filter((product) => isActive(product) && matches(product, rule.filter))
      .map((product) => [nameProduct(product), product]),
  );
  const found = [...listed].flatMap(([group, product]): readonly GroupReading[] => {
    const row = rows.get(toNumber(product.product_id));
    if (row === undefined)
      return remembered.includes(group)
        ? [{ ...NOTHING, group, holds: null, because: 'The exchange publishes no trading data of it.' }]
        : [];
    const { value, withheld } = measure(rule, product, { ...market.data, value: row });
    const holds = value === null ? (withheld === null ? false : null) : judge(value, rule);
    const because = withheld ?? (value === null ? 'The exchange publishes no value of it.' : null);
    return [{ group, holds, value, because, evidence: { total: 1, orders: [], products: [row] } }];
  });
  const gone = remembered
    .filter((group) => group !== '' && !listed.has(group))
    .map((group) => ({
      ...NOTHING,
      group,
      holds: false,
      because: 'The exchange does not list it as active any more.',
    }));
  return [...found, ...gone];
}

const NOTHING = { value: null, evidence: NO_EVIDENCE };

function measure({ measure: name }: MarketRule, product: DeskProduct, data: Sourced<ProductData>): Measured {
  if (name === 'price_change') {
    const { changeFraction } = toLastPrices(data, data.value, null);
    return {
      value: toRunningChange(product, data)?.fraction.value.times(100) ?? null,
      withheld: changeFraction?.withheld ?? null,
    };
  }
  return toQuantity({ source: data, dataTime: null }, data.value, name, asContracts);
}

function matches({ symbol, base_symbol: base, type }: DeskProduct, filter: RuleProductFilter): boolean {
  const isAs = (wanted: string | undefined, found: string | undefined): boolean =>
    wanted === undefined || wanted.toLowerCase() === found?.toLowerCase();
  return isAs(filter.symbol, symbol) && isAs(filter.base_symbol, base) && isAs(filter.type, type);
}
