import type { Day } from '#contract/exchange/day.ts';
import type { Rule } from '#contract/desk/rules.ts';
import type { TopicName } from '#contract/desk/topics.ts';
import type { Payer } from '#server/core/ports.ts';
import type { NamedTopic } from '#server/core/watch-topic.ts';

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
/** What tick sizes are checked with changes daily. */
export const DAILY_VALUES = need('volume', 900);
export const LATEST_RATES = need('rates', 900, [['limit', '100']]);

/** What a settled session was does not change; a correction is seen within this time. */
export function settledSession(day: Day): NeededTopic {
  return need('product-data', 900, [['day', day]]);
}

export function predictedRate(baseSymbol: string): NeededTopic {
  return need('funding-estimates', 60, [['base_symbol', baseSymbol]]);
}

/** The newest settled rate and the one before it. */
export function settledRates(baseSymbol: string): NeededTopic {
  return need('funding', 300, [
    ['base_symbol', baseSymbol],
    ['limit', '2'],
  ]);
}

/** What a rule is evaluated on. A rule about time, the budget or the connection needs nothing that is read for it. */
export function topicsOf(rule: Rule): readonly NeededTopic[] {
  switch (rule.about) {
    case 'orders':
      return [
        WORKING,
        ...(rule.measure === 'notional'
          ? [PRODUCT_DATA, PRODUCTS, DAILY_VALUES, LATEST_RATES]
          : rule.measure === 'distance'
            ? [PRODUCT_DATA, PRODUCTS]
            : []),
      ];
    case 'activity':
      return [WORKING];
    case 'market':
      return [PRODUCT_DATA, PRODUCTS];
    case 'funding':
      return fundingTopics(rule);
    case 'desk':
      if (rule.measure === 'incomplete' || rule.measure === 'journal_gap') return [WORKING];
      return rule.data === undefined ? [] : [agedTopic(rule.data)];
  }
}

function fundingTopics({
  measure,
  base_symbol: own,
  against,
}: Extract<Rule, { about: 'funding' }>): readonly NeededTopic[] {
  if (measure === 'time_left') return [];
  if (measure === 'predicted_rate') return [predictedRate(own)];
  return [settledRates(own), ...(against === undefined ? [] : [settledRates(against)])];
}

export function agedTopic(data: 'working-orders' | 'product-data' | 'funding'): NeededTopic {
  return { 'working-orders': WORKING, 'product-data': PRODUCT_DATA, 'funding': LATEST_RATES }[data];
}

/** A rule whose tick sizes are checked needs the sessions that they are checked with as well; the readings show which these are. */
export function topicsWith(sessions: readonly NeededTopic[], rule: Rule): readonly NeededTopic[] {
  const topics = topicsOf(rule);
  return topics.includes(DAILY_VALUES) ? [...topics, ...sessions] : topics;
}

/** A topic, and how often it is needed for whom. */
export interface SharedTopic extends NamedTopic {
  readonly payers: ReadonlyMap<Payer, number>;
}

/** A rule, and whose share of the budget it uses. */
export interface PaidRule {
  readonly rule: Rule;
  readonly payer: Payer;
}

/** Each topic once, for each author as often as the most demanding of their rules needs it. */
export function topicsOfAll(
  rules: readonly PaidRule[],
  sessions: readonly NeededTopic[],
): ReadonlyMap<string, SharedTopic> {
  const needed = new Map<string, SharedTopic & { readonly payers: Map<Payer, number> }>();
  for (const { rule, payer } of rules) {
    for (const { key, everySeconds, ...topic } of topicsWith(sessions, rule)) {
      const known = needed.get(key) ?? { ...topic, payers: new Map<Payer, number>() };
      needed.set(key, known);
      known.payers.set(payer, Math.min(everySeconds, known.payers.get(payer) ?? Infinity));
    }
  }
  return needed;
}
