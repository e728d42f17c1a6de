import type { DeskProduct } from '#contract/desk/desk.ts';
import type { MarketRule } from '#contract/desk/rules.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { type PriceChecks, whyWithheld } from '../checks/judge-prices.ts';
import { countOf } from '../format/count.ts';
import { formatInstant } from '../format/format-time.ts';
import { formatNumber } from '../format/number.ts';
import { toLastPrices } from '../markets/market-prices.ts';
import { toRunningChange } from '../price/running-session.ts';
import { isActive } from '../products/is-active.ts';
import { nameProduct } from '../products/product-directory.ts';
import type { Sourced } from '../response.ts';
import { type Decimal, toDecimal } from '../units/decimal.ts';
import { asContracts, byIncrement, toQuantity } from '../units/quantity.ts';
import { createCrossings, CROSSED_FOR_MS, type Crossings, type TradedPrice } from './crossings.ts';
import { describeVerdict } from './describe-rule.ts';
import { matchesProduct } from './matches-product.ts';
import {
  type Evaluation,
  isMissing,
  judge,
  type MarketReading,
  type Missing,
  NO_EVIDENCE,
  type SubjectReading,
} from './readings.ts';

interface MarketSubjects {
  readonly now: number;
  /** Products that are reported even if they are no longer listed. */
  readonly remembered?: readonly string[] | undefined;
  /** What is known of the sides on which prices were. Without it, no price has crossed anything. */
  readonly crossings?: Crossings | undefined;
}

/**
 * Evaluates a market rule, with one subject per product. For remembered products, and for those that the rule lists, it
 * says why there is no value.
 */
export function evaluateMarket(
  rule: MarketRule,
  market: MarketReading | Missing,
  { now, remembered = [], crossings = createCrossings(toDecimal(String(rule.value))) }: MarketSubjects,
): Evaluation {
  if (isMissing(market)) return market;
  const rows = new Map(market.data.value.map((row) => [toNumber(row.product_id), row]));
  const listed = new Map(
    market.products
      .filter((product) => isActive(product) && matchesProduct(product, rule.filter))
      .map((product) => [nameProduct(product), product]),
  );
  const named = new Set([...remembered, ...(rule.filter.symbols ?? [])]);
  const found = [...listed].flatMap(([subject, product]): readonly SubjectReading[] => {
    const row = rows.get(toNumber(product.product_id));
    if (row === undefined)
      return named.has(subject)
        ? [{ ...NOTHING, group: subject, holds: null, because: 'The exchange publishes no trading data of it.' }]
        : [];
    const data = { ...market.data, value: row };
    const measured =
      rule.measure === 'price'
        ? comparePrice(rule, product, data, market.checksOf(product), { now, crossings })
        : compareFigure(rule, product, data, market.checksOf(product).checks.reasons);
    return [{ group: subject, ...measured, evidence: { total: 1, orders: [], products: [row] } }];
  });
  const listedCodes = new Set([...listed.keys()].map((symbol) => symbol.toLowerCase()));
  const gone = [...named]
    .filter((subject) => subject !== '' && !listedCodes.has(subject.toLowerCase()))
    .map((subject) => ({
      ...NOTHING,
      group: subject,
      holds: false,
      because: remembered.includes(subject)
        ? 'The exchange does not list it as active any more.'
        : 'The exchange does not list it as active.',
    }));
  return [...found, ...gone];
}

const NOTHING = { value: null, evidence: NO_EVIDENCE };

type Compared = Pick<SubjectReading, 'holds' | 'value' | 'because' | 'sentence'>;

/** There may be no value, for example before the first trade; then the condition does not hold. */
function withoutValue(withheld: string | null): Compared {
  return {
    holds: withheld === null ? false : null,
    value: null,
    because: withheld ?? 'The exchange publishes no value of it.',
  };
}

function compareFigure(
  rule: MarketRule,
  product: DeskProduct,
  data: Sourced<ProductData>,
  reasons: PriceChecks['reasons'],
): Compared {
  const { value, withheld } = measure(rule, product, data, reasons);
  return value === null ? withoutValue(withheld) : { holds: judge(value, rule), value, because: withheld };
}

interface Measured {
  readonly value: Decimal | null;
  readonly withheld: string | null;
}

function measure(
  { measure: name }: MarketRule,
  product: DeskProduct,
  data: Sourced<ProductData>,
  reasons: PriceChecks['reasons'],
): Measured {
  if (name === 'price_change') {
    const doubt = whyWithheld(reasons, 'product data price');
    const { changeFraction } = toLastPrices(data, data.value, null, doubt);
    return {
      value: toRunningChange(product, data, doubt)?.fraction.value.times(100) ?? null,
      withheld: changeFraction?.withheld ?? null,
    };
  }
  const field = name === 'open_interest' ? name : 'volume';
  const withheld = field === 'volume' ? whyWithheld(reasons, 'session volume') : null;
  return toQuantity({ source: data, dataTime: null }, data.value, field, { ...asContracts, withheld });
}

/** Compares the last trade's price in USD. It is withheld where the screens withhold it. */
function comparePrice(
  rule: MarketRule,
  product: DeskProduct,
  data: Sourced<ProductData>,
  { checks, check }: ReturnType<MarketReading['checksOf']>,
  { now, crossings }: { readonly now: number; readonly crossings: Crossings },
): Compared {
  const sentence = `${nameProduct(product)}: no price.`;
  const conversion = byIncrement(product, check.reason);
  if (conversion === null)
    return { ...withoutValue('The exchange publishes no tick size for this product.'), sentence };
  const { last } = toLastPrices(data, data.value, conversion, whyWithheld(checks.reasons, 'product data price'));
  const time = data.value.last_price_time;
  if (last === null || last.value === null || time === null)
    return { ...withoutValue(last?.withheld ?? null), sentence };
  const price = { price: last.value, at: Date.parse(time) };
  return rule.comparison === 'crosses'
    ? compareSides(rule, nameProduct(product), price, now, crossings)
    : {
        holds: judge(price.price, rule),
        value: price.price,
        because: null,
        sentence:
          `Price of ${nameProduct(product)}: ${formatNumber(price.price)} USD at ${formatTime(price.at, now)} UTC, ` +
          `${describeVerdict(rule, judge(price.price, rule) === true)}.`,
      };
}

function compareSides(
  { value }: MarketRule,
  name: string,
  price: TradedPrice,
  now: number,
  crossings: Crossings,
): Compared {
  const crossing = crossings.find(name, price, now);
  const level = formatNumber(toDecimal(String(value)));
  const sentence =
    crossing === null
      ? `${name} has not crossed ${level} in the last ${countOf(CROSSED_FOR_MS / 60_000, 'minute')}: ` +
        `${formatTraded(price, now)} UTC.`
      : `${name} crossed ${level}: ${formatTraded(crossing.before, now)}, ${formatTraded(crossing.after, now)} UTC.`;
  return { holds: crossing !== null, value: (crossing?.after ?? price).price, because: null, sentence };
}

function formatTraded({ price, at }: TradedPrice, now: number): string {
  return `${formatNumber(price)} at ${formatTime(at, now)}`;
}

/** A trade of another day is shown with its date. */
function formatTime(at: number, now: number): string {
  const [text, today] = [formatInstant(at, 'utc'), formatInstant(now, 'utc')];
  const day = text.slice(0, DAY_LENGTH);
  return text.slice(day === today.slice(0, DAY_LENGTH) ? DAY_LENGTH : 0, -' UTC'.length);
}

const DAY_LENGTH = '2026-11-20 '.length;
