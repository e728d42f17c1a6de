import type { ActivityRule, Rule } from '#contract/desk/rules.ts';
import { createEventCount, type CountEvents } from './count-events.ts';
import { evaluateActivity } from './evaluate-activity.ts';
import { evaluateDesk } from './evaluate-desk.ts';
import { evaluateFunding } from './evaluate-funding.ts';
import { evaluateMarket } from './evaluate-market.ts';
import { evaluateOrders } from './evaluate-orders.ts';
import type { OrderTest } from './match-orders.ts';
import type { Evaluation, RuleData } from './readings.ts';

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
