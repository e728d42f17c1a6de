import type { DeskProduct, OrderConflict, WorkingDrop } from '#contract/desk/desk.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { findCheckedSessions } from '#model/checks/price-evidence.ts';
import { createPriceChecks, type ProductChecks } from '#model/markets/market-prices.ts';
import { createOrderDoubts } from '#model/orders/order-doubts.ts';
import { createMarketPriceOf, createTermsAt, type MarketPriceOf, type TermsOf } from '#model/orders/order-terms.ts';
import {
  type DeskReading,
  type FundingReading,
  isMissing,
  type MarketReading,
  type Missing,
  type RuleData,
  type WorkingReading,
} from '#model/rules/readings.ts';
import {
  agedTopic,
  createOrderReader,
  createTopicParsers,
  DAILY_VALUES,
  type FoundMarket,
  LATEST_RATES,
  type NeededTopic,
  type OrderReader,
  ORDERS_AT_ONCE,
  parseProductData,
  predictedRate,
  PRODUCT_DATA,
  PRODUCTS,
  type Read,
  type ReadOrders,
  settledRates,
  settledSession,
  type TopicReadings,
  topicsOf,
  toSource,
  toSourced,
  WORKING,
} from './rule-topics.ts';
import { isActive } from '#model/products/is-active.ts';
import { UNPROVEN } from '#model/rules/evaluate-orders.ts';
import { isExchangeAway, isFailing } from '#model/exchange-outage.ts';
import { createTrie } from '#server/core/maps.ts';
import type { RateLimiter, Venue } from '#server/core/ports.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { cutAtList } from '#contract/parse/row-texts.ts';
import { type OrderRow, toAsOf } from '#model/orders/order-row.ts';
import { toInstant } from '#server/core/to-instant.ts';
import type { OrderTest } from '#model/rules/rule-subjects.ts';

export interface RuleDataDeps {
  readonly readings: Pick<TopicReadings, 'find' | 'ageOf' | 'isTried' | 'hasFailed'>;
  readonly activity: () => RuleData['activity'];
  readonly desk: (now: number) => Pick<DeskReading, 'budget' | 'away' | 'contact' | 'drift'>;
  /** How far the exchange's clock is ahead, in milliseconds; null if unknown. */
  readonly aheadMs: () => number | null;
  /** Returns the test of a rule's filter and expression. */
  readonly testOf: (rule: Rule) => OrderTest;
  /** Yields to other work. */
  readonly yield: () => Promise<void>;
}

/** The data that rules are evaluated on. */
export interface RuleDataSource {
  /** Returns the data at a moment. Unchanged data are the same object as before. */
  readonly at: (now: number) => RuleData;
  /** What has been read that decides what else is to be read. */
  readonly found: (now: number) => FoundMarket;
  /** Creates terms for the market prices of another time, with the products and checks of now. */
  readonly termsAt: (now: number) => (marketOf: MarketPriceOf) => TermsOf;
  /** Does in small steps what takes long if all orders are new. `rules`: those to be evaluated next. */
  readonly prepare: (rules: readonly Rule[], now: number) => Promise<void>;
  /** Returns an order as JSON, as the exchange wrote it. */
  readonly textOf: (row: object) => string;
}

interface WorkingSet extends ReadOrders {
  /** Orders that may be working are missing, so nothing can be said about any. */
  readonly isInDoubt: boolean;
  readonly complete: boolean;
  readonly unproven: readonly string[];
}

export function createRuleData({ readings, activity, desk, aheadMs, ...parts }: RuleDataDeps): RuleDataSource {
  const terms = createMarketTerms(readings);
  const fundingOf = createFundingReader(readings);
  const reader = createOrderReader();
  const texts = new WeakMap<object, string>();
  const readSet = remember(({ text, step }: Read): WorkingSet => {
    const { fields, list } = cutAtList(text, 'orders');
    const read = reader.read(list ?? '', step);
    for (const { order, text: row } of read.orders) texts.set(order, row);
    const drop = JSON.parse(fields.get('drop') ?? 'null') as WorkingDrop | null;
    return {
      ...read,
      isInDoubt: drop !== null && drop.state !== 'unverified',
      complete: fields.get('complete') === 'true',
      unproven: [
        ...(JSON.parse(fields.get('unproven') ?? '[]') as readonly string[]),
        ...(JSON.parse(fields.get('conflicts') ?? '[]') as readonly OrderConflict[]).map(({ reason }) => reason),
      ],
    };
  });
  const toReading = remember(toWorkingReading);

  const working = (now: number): WorkingReading | Missing => {
    const read = readings.find(WORKING, now);
    if (isMissing(read)) return read;
    const set = readSet(read);
    return set.isInDoubt
      ? { missing: UNPROVEN }
      : toReading(
          set,
          terms.termsOf(now),
          read.respondedAt,
          aheadMs() ?? 0,
          terms.pricesMissing(now),
          readings.hasFailed(WORKING),
        );
  };
  const deskAt = (now: number): DeskReading => ({
    ...desk(now),
    ageOf: (data) => readings.ageOf(agedTopic(data), now),
    get unproven() {
      const read = readings.find(WORKING, now);
      return isMissing(read) ? read : readSet(read).unproven;
    },
    get gaps() {
      const found = activity();
      return isMissing(found) ? found : found.gaps;
    },
  });

  return {
    // Getters compute only what some rule needs.
    at: (now) => ({
      now,
      get venueNow() {
        const ahead = aheadMs();
        return ahead === null ? null : now + ahead;
      },
      get working() {
        return working(now);
      },
      get activity() {
        return activity();
      },
      get market() {
        return terms.market(now);
      },
      get perpetuals() {
        return terms.perpetuals(now);
      },
      fundingOf: (baseSymbol) => fundingOf(baseSymbol, now),
      desk: deskAt(now),
    }),
    termsAt: terms.termsAt,
    found: (now) => {
      const perpetuals = terms.perpetuals(now);
      return { sessions: terms.sessions(now), perpetuals: 'missing' in perpetuals ? [] : perpetuals };
    },
    prepare: createPreparation({ ...parts, readings }, reader, readSet),
    textOf: (row) => texts.get(row) ?? JSON.stringify(row),
  };
}

function createPreparation(
  { readings, testOf, yield: yieldToOthers }: Pick<RuleDataDeps, 'readings' | 'testOf' | 'yield'>,
  reader: OrderReader,
  readSet: (read: Read) => WorkingSet,
): RuleDataSource['prepare'] {
  const seen = new WeakMap<Rule, ReadOrders['orders']>();
  return async (rules, now) => {
    const ofOrders = rules.filter((rule) => topicsOf(rule).includes(WORKING));
    const read = readings.find(WORKING, now);
    if (isMissing(read) || ofOrders.length === 0) return;
    await reader.prepare(cutAtList(read.text, 'orders').list ?? '', yieldToOthers, read.step);
    const { orders } = readSet(read);
    // An expression caches its result per order.
    for (const rule of ofOrders.filter((one) => 'expression' in one && seen.get(one) !== orders)) {
      seen.set(rule, orders);
      const test = testOf(rule);
      for (let at = 0; at < orders.length && passes(test, orders.slice(at, at + ORDERS_AT_ONCE)); at += ORDERS_AT_ONCE)
        await yieldToOthers();
    }
  };
}

/** An expression that cannot be evaluated fails again during the evaluation, which reports it. */
function passes(test: OrderTest, orders: ReadOrders['orders']): boolean {
  try {
    for (const { order } of orders) test(order);
    return true;
  } catch {
    return false;
  }
}

function toWorkingReading(
  { orders, unreadable, complete }: WorkingSet,
  termsOf: TermsOf,
  respondedAt: number,
  aheadMs: number,
  pricesMissing: string | null,
  hasFailed: boolean,
): WorkingReading {
  const source = toSource('desk/working', respondedAt);
  const asOf = toAsOf(source, aheadMs);
  const rows = orders.map(({ order, repetition: { twins } }): OrderRow => ({
    order,
    terms: termsOf(order),
    source,
    asOf,
    twins: twins.others,
  }));
  return { rows, complete, unreadable, pricesMissing, readAt: hasFailed ? toInstant(respondedAt) : undefined };
}

function createFundingReader({
  find,
}: Pick<TopicReadings, 'find'>): (baseSymbol: string, now: number) => FundingReading {
  const parsers = new Map<string, ReturnType<typeof createTopicParsers>>();
  return (baseSymbol, now) => {
    const parse = parsers.get(baseSymbol) ?? createTopicParsers();
    parsers.set(baseSymbol, parse);
    const [settled, predicted] = [find(settledRates(baseSymbol), now), find(predictedRate(baseSymbol), now)];
    return {
      settled: isMissing(settled)
        ? settled
        : (parse.settledRates(settled.text)?.perpetuals[0]?.prints ?? {
            missing: 'The exchange lists no perpetual of that base symbol.',
          }),
      predicted: isMissing(predicted)
        ? predicted
        : (parse.predictedRate(predicted.text) ?? { missing: 'The exchange’s response could not be read.' }),
    };
  };
}

/** Recomputes only if an argument has changed. */
function remember<Arguments extends readonly unknown[], Value>(
  compute: (...given: Arguments) => Value,
): (...given: Arguments) => Value {
  let last: { readonly given: Arguments; readonly value: Value } | null = null;
  return (...given) => {
    if (last === null || given.some((argument, index) => argument !== last?.given[index]))
      last = { given, value: compute(...given) };
    return last.value;
  };
}

/** What the market data say about products: the terms of their orders and their trading data. */
interface MarketTerms {
  readonly termsOf: (now: number) => TermsOf;
  readonly termsAt: (now: number) => (marketOf: MarketPriceOf) => TermsOf;
  readonly market: (now: number) => MarketReading | Missing;
  /** The settled sessions that tick sizes are checked with. */
  readonly sessions: (now: number) => readonly NeededTopic[];
  /** Base symbols of the active perpetuals. */
  readonly perpetuals: (now: number) => readonly string[] | Missing;
  /** Why prices are unknown; null if they are known. */
  readonly pricesMissing: (now: number) => string | null;
}

const NO_PRODUCTS: readonly DeskProduct[] = [];
const NO_SESSIONS: readonly NeededTopic[] = [];
const UNREADABLE: Missing = { missing: 'The exchange’s response could not be read.' };

/** @internal Exported for its test. */
export function createMarketTerms({ find, isTried }: Pick<TopicReadings, 'find' | 'isTried'>): MarketTerms {
  const parse = createTopicParsers();
  const toData = remember((read: ReturnType<typeof find>) => toSourced('productDataAll', read, parse.productData));
  const toVoi = remember((read: ReturnType<typeof find>) => toSourced('chartVoi', read, parse.dailyValues));
  const toRates = remember((read: ReturnType<typeof find>) => toSourced('fundingRates', read, parse.latestRates));
  const toSessions = remember((data: ReturnType<typeof toData>, voi: ReturnType<typeof toVoi>) =>
    findCheckedSessions(voi?.value ?? [], data?.value ?? []).map(settledSession),
  );
  const readSessions = createSessionReader(find);
  const toTerms = remember(
    (
      products: readonly DeskProduct[],
      data: ReturnType<typeof toData>,
      voi: ReturnType<typeof toVoi>,
      funding: ReturnType<typeof toRates>,
      sessions: SettledSessions,
    ) => {
      const checksOf = createPriceChecks({ voi, funding, data, sessions });
      const known = createTrie<DeskProduct, ProductChecks>();
      const knownChecksOf = (product: DeskProduct) => known([product], () => checksOf(product));
      const termsAt = createTermsAt(products, checksOf);
      const termsOf = termsAt(createMarketPriceOf(data), createOrderDoubts(data, voi, true));
      return { termsAt, termsOf, checksOf: knownChecksOf };
    },
  );
  const toReading = remember(
    (products: readonly DeskProduct[], data: MarketReading['data'], checksOf: MarketReading['checksOf']) => ({
      products,
      data,
      checksOf,
    }),
  );

  const findProducts = (now: number): readonly DeskProduct[] | Missing => {
    const read = find(PRODUCTS, now);
    return isMissing(read) ? read : (parse.products(read.text)?.products ?? UNREADABLE);
  };

  const toPerpetuals = remember((products: readonly DeskProduct[]) =>
    products.flatMap((product) =>
      product.type === 'perpetual' && isActive(product) && product.base_symbol !== undefined
        ? [product.base_symbol]
        : [],
    ),
  );
  const perpetuals = (now: number): readonly string[] | Missing => {
    const products = findProducts(now);
    return 'missing' in products ? products : toPerpetuals(products);
  };

  const checked = (now: number): ReturnType<typeof toTerms> => {
    const products = findProducts(now);
    return toTerms(
      'missing' in products ? NO_PRODUCTS : products,
      toData(find(PRODUCT_DATA, now)),
      toVoi(find(DAILY_VALUES, now)),
      toRates(find(LATEST_RATES, now)),
      readSessions(sessions(now), now),
    );
  };

  const market = (now: number): MarketReading | Missing => {
    const [products, read] = [findProducts(now), find(PRODUCT_DATA, now)];
    if ('missing' in products) return products;
    if (isMissing(read)) return read;
    const data = toData(read);
    return data === undefined ? UNREADABLE : toReading(products, data, checked(now).checksOf);
  };

  const sessions = (now: number): readonly NeededTopic[] =>
    isTried(PRODUCT_DATA) && isTried(DAILY_VALUES)
      ? toSessions(toData(find(PRODUCT_DATA, now)), toVoi(find(DAILY_VALUES, now)))
      : NO_SESSIONS;

  return {
    market,
    sessions,
    perpetuals,
    termsOf: (now) => checked(now).termsOf,
    termsAt: (now) => checked(now).termsAt,
    pricesMissing: (now) => {
      const found = market(now);
      return isMissing(found) ? found.missing : null;
    },
  };
}

type SettledSessions = readonly (readonly ProductData[])[];

/** Omits unreadable sessions, as the screens do. Returns the same object while the sessions have not changed. */
function createSessionReader(
  find: TopicReadings['find'],
): (topics: readonly NeededTopic[], now: number) => SettledSessions {
  let known = new Map<string, readonly ProductData[] | null>();
  let last: SettledSessions = [];
  return (topics, now) => {
    const texts = topics.flatMap((topic) => {
      const read = find(topic, now);
      return isMissing(read) ? [] : [read.text];
    });
    known = new Map(texts.map((text) => [text, known.has(text) ? (known.get(text) ?? null) : parseProductData(text)]));
    const sessions = [...known.values()].filter((rows) => rows !== null);
    if (sessions.length !== last.length || sessions.some((rows, index) => rows !== last[index])) last = sessions;
    return last;
  };
}

/** The result of testing the exchange's interface. */
interface SelfTest {
  readonly rows: readonly { readonly subject: string; readonly outcome: string; readonly remark: string }[];
}

export interface DeskReadingDeps {
  readonly venue: Pick<Venue, 'state'>;
  readonly rateLimiter: Pick<RateLimiter, 'state'>;
  /** Null before the first test. */
  readonly lastSelfTest: () => SelfTest | null;
}

/**
 * Returns what Perpdesk knows about itself without a reading. The exchange counts as away whenever the screens say so.
 */
export function toDeskReading(
  { venue, rateLimiter, lastSelfTest }: DeskReadingDeps,
  startedAt: number,
  now: number,
): Pick<DeskReading, 'budget' | 'away' | 'contact' | 'drift'> {
  const [{ circuit, lastFailure, lastResponseAt }, { limit, used }, test] = [
    venue.state(),
    rateLimiter.state(),
    lastSelfTest(),
  ];
  const record = {
    circuit,
    lastResponseAt,
    lastFailure: lastFailure && { at: lastFailure.at, type: lastFailure.problem.type },
    startedAt,
  };
  const isAway = isExchangeAway(record, now);
  const drifted = test?.rows.filter(({ outcome }) => outcome === 'drift');
  return {
    budget: limit && { requests: limit.requests, used },
    away: isAway ? (lastFailure?.problem.detail ?? 'It has failed repeatedly.') : null,
    contact: { isInDoubt: !isAway && isFailing(record), lastResponseAt },
    drift: drifted?.map(({ subject, remark }) => `${subject}: ${remark}`) ?? {
      missing: 'The exchange has not been tested yet.',
    },
  };
}
