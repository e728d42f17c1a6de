import type { DeskProduct } from '#contract/desk/desk.ts';
import type { ActivityRule, DeskRule, MarketRule, Rule, RuleProductFilter } from '#contract/desk/rules.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { isActive } from '../products/is-active.ts';
import { toLastPrices } from '../markets/last-price.ts';
import { nameProduct } from '../products/name-product.ts';
import { toRunningChange } from '../price/running-change.ts';
import type { Sourced } from '../source.ts';
import { asContracts } from '../units/conversions.ts';
import { Decimal } from '../units/decimal.ts';
import { toQuantity } from '../units/quantity.ts';
import {
  type DeskReading,
  type Evaluation,
  type GroupReading,
  isMissing,
  type MarketReading,
  type Missing,
  NO_EVIDENCE,
  type RuleData,
} from './readings.ts';
import { judge } from './verdict.ts';
import { countOf } from '../format/count.ts';
import { type CountEvents, createEventCount } from './count-events.ts';
import { evaluateActivity } from './evaluate-activity.ts';
import { evaluateFunding } from './evaluate-funding.ts';
import { evaluateOrders } from './evaluate-orders.ts';
import type { OrderTest } from './match-orders.ts';

/** Null: the exchange publishes none, as before the first trade. */
interface Measured {
  readonly value: Decimal | null;
  readonly withheld: string | null;
}

/** One group a product. Of those that are remembered it is said, too, why there is nothing to say any more. */
function evaluateMarket(
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

interface Found {
  readonly value?: Decimal;
  readonly holds: boolean | null;
  readonly because?: string | null;
}

function evaluateDesk(rule: DeskRule, desk: DeskReading, now: number): Evaluation {
  const found = find(rule, desk, now);
  if (isMissing(found)) return found;
  return [{ group: '', value: null, because: null, evidence: NO_EVIDENCE, ...found }];
}

function find(rule: DeskRule, desk: DeskReading, now: number): Found | Missing {
  switch (rule.measure) {
    case 'data_age': {
      const age = desk.ageOf(rule.data ?? 'working-orders');
      return typeof age === 'number' ? compare(rule, new Decimal(age)) : age;
    }
    case 'budget_left':
      return desk.budget === null ? { holds: false } : compare(rule, toShareLeft(desk.budget));
    case 'incomplete':
      return describeAll(desk.unproven);
    case 'drift':
      return describeAll(desk.drift);
    case 'venue_away':
      return { holds: desk.away !== null, because: desk.away };
    case 'journal_gap':
      return findGaps(desk.gaps, now - (rule.window_seconds ?? 0) * 1_000);
  }
}

function compare({ comparison = 'over', value: limit = 0 }: DeskRule, value: Decimal): Found {
  return { value, holds: judge(value, { comparison, value: limit }) };
}

function toShareLeft({ requests, used }: NonNullable<DeskReading['budget']>): Decimal {
  return new Decimal(Math.max(0, requests - used)).times(100).div(requests);
}

function describeAll(sentences: readonly string[] | Missing): Found | Missing {
  return isMissing(sentences)
    ? sentences
    : { holds: sentences.length > 0, because: sentences.length === 0 ? null : sentences.join(' ') };
}

function findGaps(gaps: DeskReading['gaps'], from: number): Found | Missing {
  if (isMissing(gaps)) return gaps;
  const found = gaps.filter(({ to }) => to > from);
  const seconds = found.reduce((sum, gap) => sum + (gap.to - gap.from) / 1_000, 0);
  return {
    holds: found.length > 0,
    because:
      found.length === 0 ? null : `${countOf(found.length, 'gap')}, ${countOf(Math.round(seconds), 'second')} in all.`,
  };
}

interface EvaluationOptions {
  /** The count that a rule about activity goes on with; without it, all events are counted anew. */
  readonly countOf?: (rule: ActivityRule, test: OrderTest) => CountEvents;
  /** Groups of which something is to be said even where there is nothing of them any more. */
  readonly remembered?: readonly string[] | undefined;
}

/** What a rule says on these data. `test`: whether it is about an order, by its filter and its expression. */
export function evaluate(
  rule: Rule,
  data: RuleData,
  test: OrderTest,
  { countOf = createEventCount, remembered }: EvaluationOptions = {},
): Evaluation {
  switch (rule.about) {
    case 'orders':
      return evaluateOrders(rule, data.working, test, remembered);
    case 'activity':
      return evaluateActivity(rule, data, { test, count: countOf(rule, test), remembered });
    case 'market':
      return evaluateMarket(rule, data.market, remembered);
    case 'funding':
      return evaluateFunding(rule, data);
    case 'desk':
      return evaluateDesk(rule, data.desk, data.now);
  }
}
