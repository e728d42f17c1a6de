import type { Rule } from '#contract/desk/rules.ts';
import type { Order } from '#contract/exchange/order.ts';
import { describeCorrection } from '#model/rules/describe-rule.ts';
import { groupOf, type OrderTest } from '#model/rules/match-orders.ts';
import type { AlertEvent } from '../calls/call.ts';
import type { ReturnedOrder } from '#server/journal/gone-orders.ts';
import type { LiveAlert } from './alert-events.ts';
import { parseOrders } from './order-reader.ts';

/** Remembers what was called, so that it can be corrected where it rested on a reading that lacked orders. */
export interface Corrections {
  readonly note: (events: readonly AlertEvent[]) => void;
  /** Calls of a rule that were wrong, each once. `alertOf`: what the rule says of a group by now. */
  readonly find: (rule: Rule, alertOf: (group: string) => LiveAlert | undefined, now: number) => readonly AlertEvent[];
}

interface CorrectionParts {
  readonly returned: () => readonly ReturnedOrder[];
  readonly testOf: (rule: Rule) => OrderTest;
}

const MOST_NOTED = 1_000;
/** What changes later than that after orders were listed again has other reasons. */
const CORRECTED_WITHIN_MS = 60_000;

export function createCorrections({ returned, testOf }: CorrectionParts): Corrections {
  let noted: readonly AlertEvent[] = [];

  const countOrders = (rule: Rule, { group, at }: AlertEvent, now: number): number => {
    if (rule.about !== 'orders' && rule.about !== 'activity') return 0;
    const { each } = rule;
    const rows = returned()
      .filter((one) => one.goneAt <= at && at <= one.at && now - one.at <= CORRECTED_WITHIN_MS)
      .map(({ row }) => row);
    const isMeant = (order: Order): boolean =>
      testOf(rule)(order) && (each === 'all' || groupOf(order, each) === group);
    return new Set([...parseOrders(rows).values()].filter(isMeant).map(({ id }) => id)).size;
  };

  return {
    note: (events) => {
      noted = [...noted, ...events.filter(({ state }) => state === 'firing' || state === 'resolved')].slice(
        -MOST_NOTED,
      );
    },
    find: (rule, alertOf, now) => {
      const found = noted
        .filter(({ ruleId }) => ruleId === rule.id)
        .flatMap((event) => {
          const reading = alertOf(event.group)?.reading ?? null;
          if (reading === null || reading.holds !== (event.state === 'resolved')) return [];
          const orders = countOrders(rule, event, now);
          return orders === 0
            ? []
            : [
                {
                  event,
                  corrected: {
                    ...event,
                    key: JSON.stringify([event.key, 'corrected']),
                    state: 'corrected' as const,
                    at: now,
                    sentence: describeCorrection(rule, reading, orders),
                  },
                },
              ];
        });
      const wrong = new Set(found.map(({ event }) => event));
      if (wrong.size > 0) noted = noted.filter((event) => !wrong.has(event));
      return found.map(({ corrected }) => corrected);
    },
  };
}
