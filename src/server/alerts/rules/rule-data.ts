import type { Rule } from '#contract/desk/rules.ts';
import type { WorkingDrop } from '#contract/desk/desk.ts';
import { cutAtList } from '#contract/parse/row-texts.ts';
import { toAsOf, type OrderRow } from '#model/orders/order-row.ts';
import type { TermsOf } from '#model/orders/order-terms.ts';
import type { OrderTest } from '#model/rules/match-orders.ts';
import {
  isMissing,
  type DeskReading,
  type FundingReading,
  type Missing,
  type RuleData,
  type WorkingReading,
} from '#model/rules/readings.ts';
import { createMarketTerms } from './market-terms.ts';
import { createOrderReader, ORDERS_AT_ONCE, type OrderReader, type ReadOrders } from './order-reader.ts';
import { remember } from './remember.ts';
import { agedTopic, predictedRate, settledRates, topicsOf, WORKING, type NeededTopic } from './rule-topics.ts';
import { createTopicParsers, toSource, type Read, type TopicReadings } from './topic-readings.ts';

export interface RuleDataParts {
  readonly readings: Pick<TopicReadings, 'find' | 'ageOf' | 'isTried'>;
  readonly activity: () => RuleData['activity'];
  readonly desk: (now: number) => Pick<DeskReading, 'budget' | 'away' | 'contact' | 'drift'>;
  /** How far the exchange's clock is ahead; null while that is unknown. */
  readonly aheadMs: () => number | null;
  /** Whether it is about an order, by its filter and its expression. */
  readonly testOf: (rule: Rule) => OrderTest;
  /** Lets others go on. */
  readonly yield: () => Promise<void>;
}

/** What rules are evaluated on. */
export interface RuleDataSource {
  /** As it is at a moment. What has not changed since the moment before is the same object. */
  readonly at: (now: number) => RuleData;
  /** The settled sessions that tick sizes are checked with, by what has been read. */
  readonly sessions: (now: number) => readonly NeededTopic[];
  /** Does beforehand, a part at a time, what takes long where all orders are new. `rules`: those that are evaluated next. */
  readonly prepare: (rules: readonly Rule[], now: number) => Promise<void>;
  /** An order as the exchange wrote it, in JSON. */
  readonly textOf: (row: object) => string;
}

interface WorkingSet extends ReadOrders {
  /** Orders are missing that may be working: nothing can be said of any. */
  readonly isInDoubt: boolean;
  readonly complete: boolean;
  readonly unproven: readonly string[];
}

export function createRuleData({ readings, activity, desk, aheadMs, ...parts }: RuleDataParts): RuleDataSource {
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
      unproven: JSON.parse(fields.get('unproven') ?? '[]') as readonly string[],
    };
  });
  const toReading = remember(toWorkingReading);

  const working = (now: number): WorkingReading | Missing => {
    const read = readings.find(WORKING, now);
    if (isMissing(read)) return read;
    const set = readSet(read);
    return set.isInDoubt
      ? { missing: set.unproven.join(' ') }
      : toReading(set, terms.termsOf(now), read.answeredAt, aheadMs() ?? 0, terms.pricesMissing(now));
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
    // Only what some rule needs is computed.
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
      fundingOf: (baseSymbol) => fundingOf(baseSymbol, now),
      desk: deskAt(now),
    }),
    sessions: terms.sessions,
    prepare: createPreparation({ ...parts, readings }, reader, readSet),
    textOf: (row) => texts.get(row) ?? JSON.stringify(row),
  };
}

function createPreparation(
  { readings, testOf, yield: yieldToOthers }: Pick<RuleDataParts, 'readings' | 'testOf' | 'yield'>,
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
    // An expression remembers what it finds of an order.
    for (const rule of ofOrders.filter((one) => 'expression' in one && seen.get(one) !== orders)) {
      seen.set(rule, orders);
      const test = testOf(rule);
      for (let at = 0; at < orders.length && passes(test, orders.slice(at, at + ORDERS_AT_ONCE)); at += ORDERS_AT_ONCE)
        await yieldToOthers();
    }
  };
}

/** An expression that cannot be evaluated fails again where it is, and says so there. */
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
  answeredAt: number,
  aheadMs: number,
  pricesMissing: string | null,
): WorkingReading {
  const source = toSource('desk/working', answeredAt);
  const asOf = toAsOf(source, aheadMs);
  const rows = orders.map(({ order, repetition: { twins } }): OrderRow => ({
    order,
    terms: termsOf(order),
    source,
    asOf,
    twins: twins.others,
  }));
  return { rows, complete, unreadable, pricesMissing };
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
