import type { ActivityRule, DeskRule, MarketRule, Rule } from '#contract/desk/rules.ts';
import { Decimal } from '../units/decimal.ts';
import {
  type DeskReading,
  type Evaluation,
  isMissing,
  judge,
  type Missing,
  NO_EVIDENCE,
  type RuleData,
} from './readings.ts';
import { countOf } from '../format/count.ts';
import { type CountEvents, createEventCount } from './count-events.ts';
import type { Crossings } from './crossings.ts';
import { evaluateActivity } from './evaluate-activity.ts';
import { withClearing } from './clear-value.ts';
import { evaluateFunding } from './evaluate-funding.ts';
import { evaluateMarket } from './evaluate-market.ts';
import { evaluateOrders } from './evaluate-orders.ts';
import type { OrderTest } from './rule-subjects.ts';

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
  /** What a market rule knows of earlier prices. Without it, no price has crossed anything. */
  readonly crossingsOf?: (rule: MarketRule) => Crossings;
  /** Subjects that are reported even when nothing is left of them. */
  readonly remembered?: readonly string[] | undefined;
  /** Orders that never raise an alert, by ID, if each order is evaluated. */
  readonly excluded?: ReadonlySet<string> | undefined;
}

/** Evaluates a rule. `test`: whether an order matches the rule's filter and expression, except limits of figures. */
export function evaluate(
  rule: Rule,
  data: RuleData,
  test: OrderTest,
  { countOf = createEventCount, crossingsOf, remembered, excluded }: EvaluationOptions = {},
): Evaluation {
  switch (rule.about) {
    case 'orders':
      return withClearing(rule, (one) => evaluateOrders(one, data.working, test, { remembered, excluded }));
    case 'activity': {
      const count = countOf(rule, test);
      return withClearing(rule, (one) => evaluateActivity(one, data, { test, count, remembered }));
    }
    case 'market':
      return withClearing(rule, (one) =>
        evaluateMarket(one, data.market, {
          now: data.now,
          remembered,
          crossings: rule.comparison === 'crosses' ? crossingsOf?.(rule) : undefined,
        }),
      );
    case 'funding':
      return withClearing(rule, (one) => evaluateFunding(one, data, remembered));
    case 'desk':
      return withClearing(rule, (one) => evaluateDesk(one, data.desk, data.now));
  }
}
