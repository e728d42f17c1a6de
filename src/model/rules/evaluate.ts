import type { ActivityRule, DeskRule, FundingRule, MarketRule, Rule, RuleProductFilter } from '#contract/desk/rules.ts';
import type { FundingRateData } from '#contract/exchange/market-data.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { INTERVAL_MS, toIntervalTimes } from '../funding/funding-rate.ts';
import { Decimal, toDecimal } from '../units/decimal.ts';
import {
  type DeskReading,
  type Evaluation,
  type FundingReading,
  type SubjectReading,
  isMissing,
  judge,
  type MarketReading,
  type Missing,
  NO_EVIDENCE,
  type RuleData,
} from './readings.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { isActive } from '../products/is-active.ts';
import { toLastPrices } from '../markets/market-prices.ts';
import { nameProduct } from '../products/product-directory.ts';
import { toRunningChange } from '../price/running-session.ts';
import type { Sourced } from '../response.ts';
import { asContracts, toQuantity } from '../units/quantity.ts';
import { countOf } from '../format/count.ts';
import { type CountEvents, createEventCount } from './count-events.ts';
import { evaluateActivity } from './evaluate-activity.ts';
import { evaluateOrders } from './evaluate-orders.ts';
import type { OrderTest } from './rule-subjects.ts';

interface FundingData {
  readonly venueNow: number | null;
  readonly fundingOf: (baseSymbol: string) => FundingReading;
}

/** A rate in percent, with the end of its interval. */
interface Rate {
  readonly percent: Decimal;
  readonly end: number;
}

function evaluateFunding(rule: FundingRule, data: FundingData): Evaluation {
  const value = measureFunding(rule, data);
  if ('missing' in value) return value;
  const holds =
    'holds' in value
      ? value.holds
      : judge(value.value, { comparison: rule.comparison ?? 'over', value: rule.value ?? 0 });
  return [{ group: '', holds, value: value.value, because: null, evidence: NO_EVIDENCE }];
}

type MeasuredRate = { readonly value: Decimal } | { readonly value: Decimal; readonly holds: boolean } | Missing;

function measureFunding(rule: FundingRule, { venueNow, fundingOf }: FundingData): MeasuredRate {
  const own = (): FundingReading => fundingOf(rule.base_symbol);
  switch (rule.measure) {
    case 'time_left':
      return toTimeLeft(venueNow);
    case 'predicted_rate':
      return toPredicted(own(), venueNow);
    case 'settled_rate':
      return toValue(findSettled(own(), 0));
    case 'difference':
      return toDifference(findSettled(own(), 0), findSettled(fundingOf(rule.against ?? ''), 0));
    case 'flip':
      return toFlip(findSettled(own(), 0), findSettled(own(), 1));
  }
}

const MINUTE_MS = 60_000;

/** Funding times are the same for all perpetuals. */
function toTimeLeft(venueNow: number | null): MeasuredRate {
  if (venueNow === null) return { missing: 'The exchange’s clock is not known yet.' };
  return { value: new Decimal(INTERVAL_MS - (venueNow % INTERVAL_MS)).div(MINUTE_MS) };
}

function toPredicted({ predicted }: FundingReading, venueNow: number | null): MeasuredRate {
  if (isMissing(predicted)) return predicted;
  const end = toIntervalTimes(predicted)?.end;
  if (end === undefined || (venueNow !== null && end < venueNow))
    return { missing: 'The interval of the predicted rate has ended, and the next rate has not arrived.' };
  return { value: toPercent(wireText(predicted, 'funding_rate')) };
}

function toValue(rate: Rate | Missing): MeasuredRate {
  return isMissing(rate) ? rate : { value: rate.percent };
}

function toDifference(own: Rate | Missing, other: Rate | Missing): MeasuredRate {
  if (isMissing(own)) return own;
  if (isMissing(other)) return other;
  if (own.end !== other.end) return { missing: 'The newest settled rates of the two are of different intervals.' };
  return { value: own.percent.minus(other.percent) };
}

function toFlip(newest: Rate | Missing, before: Rate | Missing): MeasuredRate {
  if (isMissing(newest)) return newest;
  if (isMissing(before)) return before;
  return { value: newest.percent, holds: newest.percent.times(before.percent).isNegative() };
}

/** Finds the rate of the newest interval, or of an earlier one. */
function findSettled({ settled }: FundingReading, place: number): Rate | Missing {
  if (isMissing(settled)) return settled;
  const byEnd = Map.groupBy(settled, (print) => toIntervalTimes(print)?.end ?? NaN);
  const [end, prints] = [...byEnd].filter(([time]) => !Number.isNaN(time)).sort(([a], [b]) => b - a)[place] ?? [
    NaN,
    [],
  ];
  const [first, ...others] = prints;
  if (first === undefined) return { missing: 'The exchange publishes no settled rate of that interval.' };
  if (others.some((other) => rateText(other) !== rateText(first)))
    return { missing: 'The exchange publishes two settled rates of one interval.' };
  return { percent: toPercent(rateText(first)), end };
}

function rateText(print: FundingRateData): string {
  return wireText(print, 'funding_rate');
}

function toPercent(rate: string): Decimal {
  return toDecimal(rate).times(100);
}

/** Null: the exchange publishes none, for example before the first trade. */
interface Measured {
  readonly value: Decimal | null;
  readonly withheld: string | null;
}

/**
 * Evaluates a market rule, with one subject per product. For remembered products, it says why there is no longer a
 * value.
 */
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
  const found = [...listed].flatMap(([subject, product]): readonly SubjectReading[] => {
    const row = rows.get(toNumber(product.product_id));
    if (row === undefined)
      return remembered.includes(subject)
        ? [{ ...NOTHING, group: subject, holds: null, because: 'The exchange publishes no trading data of it.' }]
        : [];
    const { value, withheld } = measure(rule, product, { ...market.data, value: row });
    const holds = value === null ? (withheld === null ? false : null) : judge(value, rule);
    const because = withheld ?? (value === null ? 'The exchange publishes no value of it.' : null);
    return [{ group: subject, holds, value, because, evidence: { total: 1, orders: [], products: [row] } }];
  });
  const gone = remembered
    .filter((subject) => subject !== '' && !listed.has(subject))
    .map((subject) => ({
      ...NOTHING,
      group: subject,
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
  /** The running count of an activity rule. Without it, all events are counted anew. */
  readonly countOf?: (rule: ActivityRule, test: OrderTest) => CountEvents;
  /** Subjects that are reported even when nothing is left of them. */
  readonly remembered?: readonly string[] | undefined;
}

/** Evaluates a rule. `test`: whether an order matches the rule's filter and expression. */
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
