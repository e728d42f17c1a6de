import { createParser } from '#contract/parse/parse.ts';
import type { RowDiff } from '#contract/parse/row-diff.ts';
import { Order } from '#contract/exchange/order.ts';
import { list, type Static, type TSchema } from '#contract/exchange/schema.ts';
import { createRepetitionCount, type Repetition } from '#model/orders/duplicates.ts';
import { copyOf, type KeyedRow, type ListStep, NO_ROWS, type RowList, stepFrom } from '#server/core/row-list.ts';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { needsPrices } from '#model/rules/order-limits.ts';
import type { Missing } from '#model/rules/readings.ts';
import type { Source, Sourced } from '#model/response.ts';
import { toInstant } from '#server/core/to-instant.ts';
import type { Payer } from '#server/core/ports.ts';
import type { FollowTopic, NamedTopic, WatchedReading } from '#server/core/topics.ts';
import type { Day } from '#contract/exchange/instant.ts';
import { predictedEverySeconds } from '#contract/desk/rule-measures.ts';
import type { FundingRule, Rule } from '#contract/desk/rules.ts';
import type { TopicName } from '#contract/desk/topics.ts';

/** A topic that a rule needs, and how often. */
export interface NeededTopic extends NamedTopic {
  readonly everySeconds: number;
  /** Equal for equal topics. */
  readonly key: string;
}

function need(name: TopicName, everySeconds: number, pairs: NamedTopic['pairs'] = []): NeededTopic {
  return { name, pairs, everySeconds, key: [name, ...pairs.flat()].join(' ') };
}

export const WORKING = need('working-orders', 30);
export const PRODUCT_DATA = need('product-data', 60);
export const PRODUCTS = need('products', 3_600);
/** The daily values that tick sizes are checked with. */
export const DAILY_VALUES = need('volume', 900);
export const LATEST_RATES = need('rates', 900, [['limit', '100']]);

/**
 * Returns the topic of a settled session. Sessions do not change after settlement, except that a correction appears
 * within this interval.
 */
export function settledSession(day: Day): NeededTopic {
  return need('product-data', 900, [['day', day]]);
}

/** Of many perpetuals, predicted rates are read so seldom that a rule costs at most 20 requests in five minutes. */
export function predictedRate(baseSymbol: string, among = 1): NeededTopic {
  return need('funding-estimates', predictedEverySeconds(among), [['base_symbol', baseSymbol]]);
}

/** Returns the topic with the latest settled rate and the one before it. */
export function settledRates(baseSymbol: string): NeededTopic {
  return need('funding', 300, [
    ['base_symbol', baseSymbol],
    ['limit', '2'],
  ]);
}

/** The figures of products, and those they are checked with. */
const CHECKED_MARKET: readonly NeededTopic[] = [PRODUCT_DATA, PRODUCTS, DAILY_VALUES, LATEST_RATES];

/** A price may come to a level at any moment. */
const PRICES: readonly NeededTopic[] = [need('product-data', 30), PRODUCTS, DAILY_VALUES, LATEST_RATES];

/** Returns the topics a rule is evaluated on. Rules about time, the budget or the connection need none. */
export function topicsOf(
  rule: Rule,
  { perpetuals }: Pick<FoundMarket, 'perpetuals'> = NOTHING_FOUND,
): readonly NeededTopic[] {
  switch (rule.about) {
    case 'orders':
      return [WORKING, ...(needsPrices(rule) ? CHECKED_MARKET : [])];
    case 'activity':
      return [WORKING];
    case 'market':
      return rule.measure === 'price' ? PRICES : CHECKED_MARKET;
    case 'funding':
      return fundingTopics(rule, perpetuals);
    case 'desk':
      if (rule.measure === 'incomplete' || rule.measure === 'journal_gap') return [WORKING];
      return rule.data === undefined ? [] : [agedTopic(rule.data)];
  }
}

/** What readings show that decides what else is to be read. */
export interface FoundMarket {
  /** The settled sessions that tick sizes are checked with. */
  readonly sessions: readonly NeededTopic[];
  /** Base symbols of the perpetuals that the exchange lists as active. */
  readonly perpetuals: readonly string[];
}

/** @internal Exported for tests. */
export const NOTHING_FOUND: FoundMarket = { sessions: [], perpetuals: [] };

function fundingTopics(
  { measure, base_symbol: one, base_symbols: several, against }: FundingRule,
  listed: readonly string[],
): readonly NeededTopic[] {
  if (measure === 'time_left') return [];
  const own = one === undefined ? (several?.filter((symbol) => listed.includes(symbol)) ?? listed) : [one];
  const symbols = [...new Set([...own, ...(against === undefined ? [] : [against])])];
  const rates =
    measure === 'predicted_rate' ? own.map((symbol) => predictedRate(symbol, own.length)) : symbols.map(settledRates);
  // Which perpetuals there are matters to a rule about several.
  return one === undefined ? [PRODUCTS, ...rates] : rates;
}

export function agedTopic(data: 'working-orders' | 'product-data' | 'funding'): NeededTopic {
  return { 'working-orders': WORKING, 'product-data': PRODUCT_DATA, 'funding': LATEST_RATES }[data];
}

/** Adds what only readings show: the settled sessions that tick sizes are checked with, and which perpetuals there are. */
export function topicsWith(found: FoundMarket, rule: Rule): readonly NeededTopic[] {
  const topics = topicsOf(rule, found);
  return topics.includes(DAILY_VALUES) ? [...topics, ...found.sessions] : topics;
}

/** A topic, and how often each payer needs it. */
interface SharedTopic extends NamedTopic {
  readonly payers: ReadonlyMap<Payer, number>;
}

/** A rule, and whose share of the budget it uses. */
export interface PaidRule {
  readonly rule: Rule;
  readonly payer: Payer;
}

/** Returns each topic once, for each author as often as the most demanding of their rules needs it. */
export function topicsOfAll(rules: readonly PaidRule[], found: FoundMarket): ReadonlyMap<string, SharedTopic> {
  const needed = new Map<string, SharedTopic & { readonly payers: Map<Payer, number> }>();
  for (const { rule, payer } of rules) {
    for (const { key, everySeconds, ...topic } of topicsWith(found, rule)) {
      const known = needed.get(key) ?? { ...topic, payers: new Map<Payer, number>() };
      needed.set(key, known);
      known.payers.set(payer, Math.min(everySeconds, known.payers.get(payer) ?? Infinity));
    }
  }
  return needed;
}

/** The latest reading of a topic. */
export interface Read {
  readonly text: string;
  /** The difference of its rows from those of an earlier reading, if known. */
  readonly step?: ListStep | undefined;
  readonly respondedAt: number;
}

interface TopicState {
  readonly watches: Map<Payer, { readonly seconds: number; readonly stop: () => void }>;
  everySeconds: number;
  read: Read | null;
  problem: string | null;
}

/** The latest readings of the topics that rules need. */
export interface TopicReadings {
  /** Reads exactly these topics from now on. */
  readonly need: (topics: ReadonlyMap<string, SharedTopic>) => void;
  /** Whether reading the topic was attempted. */
  readonly isTried: (topic: NeededTopic) => boolean;
  /** Returns the latest response, or why there is none that is recent enough. */
  readonly find: (topic: NeededTopic, now: number) => Read | Missing;
  readonly ageOf: (topic: NeededTopic, now: number) => number | Missing;
  /** Whether the last attempt to read the topic failed. */
  readonly hasFailed: (topic: NeededTopic) => boolean;
}

/** Data older than this many reading intervals say nothing about the present. */
const TOO_OLD_FACTOR = 3;

export function tooOldAfterMs(everySeconds: number): number {
  return TOO_OLD_FACTOR * everySeconds * 1_000;
}

export function createTopicReadings(watch: FollowTopic, onReading: () => void, now: () => number): TopicReadings {
  const topics = new Map<string, TopicState>();
  /** Follows the topic for exactly these payers. */
  const watchFor = (state: TopicState, topic: SharedTopic | null): void => {
    const payers = topic?.payers ?? new Map<Payer, number>();
    for (const [payer, { seconds, stop }] of state.watches) {
      if (payers.get(payer) === seconds) continue;
      stop();
      state.watches.delete(payer);
    }
    for (const [payer, seconds] of payers) {
      if (topic === null || state.watches.has(payer)) continue;
      // The watch passes the last reading on before it returns.
      const stop = watch(topic, {
        everySeconds: seconds,
        payer,
        onReading: (reading) => {
          // From before this desk became the leader, it does not show that no newer one can be made.
          if (reading.problem === null && isTooOld(reading, now())) return;
          note(state, reading);
          onReading();
        },
      });
      state.watches.set(payer, { seconds, stop });
    }
  };
  return {
    need: (needed) => {
      for (const [key, state] of topics) {
        if (needed.has(key)) continue;
        watchFor(state, null);
        topics.delete(key);
      }
      for (const [key, topic] of needed) {
        const state = topics.get(key) ?? {
          watches: new Map(),
          everySeconds: Math.min(...topic.payers.values()),
          read: null,
          problem: null,
        };
        topics.set(key, state);
        watchFor(state, topic);
      }
    },
    isTried: ({ key }) => {
      const state = topics.get(key);
      return state !== undefined && (state.read !== null || state.problem !== null);
    },
    find: ({ key }, now) => findNewEnough(topics.get(key), now),
    hasFailed: ({ key }) => (topics.get(key)?.problem ?? null) !== null,
    ageOf: ({ key }, now) => {
      const state = topics.get(key);
      return state?.read
        ? Math.max(0, (now - state.read.respondedAt) / 1_000)
        : { missing: state?.problem ?? NOT_READ };
    },
  };
}

const NOT_READ = 'It has not been read yet.';

function note(state: TopicState, reading: WatchedReading): void {
  state.everySeconds = reading.everySeconds;
  if (reading.problem === null) [state.read, state.problem] = [reading, null];
  else state.problem = reading.problem.detail;
}

function isTooOld(
  { respondedAt, everySeconds }: Pick<Read, 'respondedAt'> & Pick<WatchedReading, 'everySeconds'>,
  now: number,
): boolean {
  return now - respondedAt > tooOldAfterMs(everySeconds);
}

function findNewEnough(state: TopicState | undefined, now: number): Read | Missing {
  const { read = null, everySeconds = 0, problem = null } = state ?? {};
  if (read === null) return { missing: problem ?? NOT_READ };
  if (!isTooOld({ ...read, everySeconds }, now)) return read;
  return {
    missing: `The last reading is from ${toInstant(read.respondedAt)}.${problem === null ? '' : ` ${problem}`}`,
  };
}

/** Caches the result for the last text. */
function once<Value>(parse: (text: string) => Value): (text: string) => Value {
  let last: { readonly text: string; readonly value: Value } | null = null;
  return (text) => (last?.text === text ? last : (last = { text, value: parse(text) })).value;
}

function lenient<Schema extends TSchema>(schema: Schema, rows?: string): (text: string) => Static<Schema> | null {
  const { tolerant } = createParser(schema, rows);
  return once((text) => tolerant(text).value);
}

const productData = createParser(ENDPOINTS.productDataAll.response);

export function parseProductData(text: string): Static<typeof ENDPOINTS.productDataAll.response> | null {
  return productData.tolerant(text).value;
}

/** Creates parsers of the topics' texts. They return null for an unreadable text. */
export function createTopicParsers() {
  return {
    productData: once(parseProductData),
    products: lenient(DESK_ENDPOINTS.products.response, DESK_ENDPOINTS.products.rows),
    dailyValues: lenient(ENDPOINTS.chartVoi.response),
    latestRates: lenient(ENDPOINTS.fundingRates.response),
    predictedRate: lenient(ENDPOINTS.fundingEstimated.response),
    settledRates: lenient(DESK_ENDPOINTS.funding.response, DESK_ENDPOINTS.funding.rows),
  };
}

/** Returns a reading with its source; undefined if there is none. */
export function toSourced<Value>(
  endpoint: string,
  read: Read | Missing,
  parse: (text: string) => Value | null,
): Sourced<Value> | undefined {
  if ('missing' in read) return undefined;
  const value = parse(read.text);
  return value === null ? undefined : { ...toSource(endpoint, read.respondedAt), value };
}

export function toSource(endpoint: string, respondedAt: number): Source {
  return {
    endpoint,
    target: '',
    respondedAt: toInstant(respondedAt),
    receivedAt: respondedAt,
    ageSeconds: 0,
    cache: 'unknown',
    requestId: null,
  };
}

/** An order with its text as the exchange wrote it. */
interface ReadOrder {
  readonly order: Order;
  readonly text: string;
  readonly repetition: Repetition;
}

export interface ReadOrders {
  readonly orders: readonly ReadOrder[];
  /** The number of rows that are not valid orders. */
  readonly unreadable: number;
}

const parser = createParser(list(Order));

/** Parses orders, by their texts. Omits invalid ones. */
export function parseOrders(texts: readonly string[]): ReadonlyMap<string, Order> {
  const { value, setAside } = parser.tolerant(`[${texts.join(',')}]`);
  const odd = new Set(setAside.map(({ index }) => index));
  const sound = texts.filter((_, index) => !odd.has(index));
  return new Map((value ?? []).map((order, index) => [sound[index] ?? '', order]));
}

export interface OrderReader {
  /** `step` is the difference from an earlier list, if known. Of two orders with one ID, the first counts. */
  readonly read: (list: string, step?: ListStep) => ReadOrders;
  /**
   * Parses the new orders of a list in batches before it is read, because parsing ten thousand at once would block
   * everything else.
   */
  readonly prepare: (list: string, yieldToOthers: () => Promise<void>, step?: ListStep) => Promise<void>;
}

/** The number of orders to parse or test before yielding: a few milliseconds of work. */
export const ORDERS_AT_ONCE = 1_000;

/**
 * Reads successive working sets. Hardly any of ten thousand orders changes from one to the next, so only changed ones
 * are parsed.
 */
export function createOrderReader(): OrderReader {
  let [list, read]: [RowList, ReadOrders] = [NO_ROWS, { orders: [], unreadable: 0 }];
  const known = new Map<string, ReadOrder>();
  const repetitions = createRepetitionCount();
  /** Orders that are parsed but not read yet. */
  let prepared: ReadonlyMap<string, Order> = new Map();

  const leave = ({ key }: KeyedRow): void => {
    const left = known.get(key);
    if (left !== undefined) repetitions.remove(left.order);
    known.delete(key);
  };
  const enter = (rows: readonly KeyedRow[]): void => {
    const texts = rows.map(({ row }) => copyOf(row));
    const parsed = parseOrders(texts.filter((text) => !prepared.has(text)));
    for (const [index, text] of texts.entries()) {
      const order = prepared.get(text) ?? parsed.get(text);
      const key = rows[index]?.key;
      if (order !== undefined && key !== undefined) known.set(key, { order, text, repetition: repetitions.add(order) });
    }
  };
  return {
    read: (text, given) => {
      const { list: next, diff, left } = stepFrom(list, text, 'id', given);
      for (const row of [...diff.gone, ...diff.changed.map(([before]) => before)]) leave(row);
      enter(newRowsOf(diff));
      prepared = new Map();
      if (next !== list) {
        const orders = next.keys.flatMap((key) => known.get(key) ?? []);
        [list, read] = [next, { orders, unreadable: left + next.keys.length - orders.length }];
      }
      return read;
    },
    prepare: async (text, yieldToOthers, given) => {
      const texts = newRowsOf(stepFrom(list, text, 'id', given).diff).map(({ row }) => copyOf(row));
      const parsed = new Map<string, Order>();
      for (let at = 0; at < texts.length; at += ORDERS_AT_ONCE) {
        await yieldToOthers();
        for (const [row, order] of parseOrders(texts.slice(at, at + ORDERS_AT_ONCE))) parsed.set(row, order);
      }
      prepared = parsed;
    },
  };
}

function newRowsOf({ added, changed }: RowDiff<KeyedRow>): readonly KeyedRow[] {
  return [...added, ...changed.map(([, after]) => after)];
}
