import type { OrdersRule, Rule } from '#contract/desk/rules.ts';
import { findMatching } from '#model/rules/evaluate-orders.ts';
import { isMissing, type RuleData } from '#model/rules/readings.ts';
import type { OrderTest } from '#model/rules/rule-subjects.ts';
import { isSameCondition } from './alert-board.ts';
import type { RuleStore, StoredBaseline } from './rule-store.ts';

/**
 * The orders that already met the condition of a rule when it was saved or turned on. They are found by the first
 * reading after that which is proven complete.
 */
export interface OrderBaselines {
  /** Finds and stores those that are missing, and forgets those of rules that were changed, turned off or deleted. */
  readonly update: (enabled: readonly Rule[], ready: readonly Rule[], data: RuleData) => Promise<void>;
  /** Returns the orders that never raise an alert, by ID; null if that is not known yet. */
  readonly of: (rule: Rule) => ReadonlySet<string> | null;
  readonly load: () => Promise<void>;
}

export function isForNewOnly(rule: Rule): rule is OrdersRule {
  return rule.about === 'orders' && rule.each === 'order' && rule.new_only === true;
}

const NONE: ReadonlySet<string> = new Set();

export function createOrderBaselines(
  store: Pick<RuleStore, 'baselines' | 'writeBaselines'>,
  testOf: (rule: Rule) => OrderTest,
): OrderBaselines {
  let known: ReadonlyMap<string, StoredBaseline & { readonly ids: ReadonlySet<string> }> = new Map();
  const find = (rule: Rule) => {
    const found = known.get(rule.id);
    return found !== undefined && isSameCondition(found.rule, rule) ? found : undefined;
  };
  const toKnown = (all: readonly StoredBaseline[]) =>
    all.map((one) => [one.ruleId, { ...one, ids: new Set(one.orders) }] as const);
  return {
    of: (rule) => (isForNewOnly(rule) ? (find(rule)?.ids ?? null) : NONE),
    load: async () => {
      known = new Map(toKnown(await store.baselines()));
    },
    update: async (enabled, ready, data) => {
      const wanted = new Set(enabled.filter((rule) => find(rule) !== undefined).map(({ id }) => id));
      const dropped = [...known.keys()].filter((id) => !wanted.has(id));
      const fresh = ready.filter(isForNewOnly).flatMap((rule) => {
        if (find(rule) !== undefined) return [];
        const found = findMatching(rule, data.working, testOf(rule));
        return isMissing(found) ? [] : [{ ruleId: rule.id, rule, orders: found.orders }];
      });
      if (dropped.length === 0 && fresh.length === 0) return;
      const taken = new Set(fresh.map(({ ruleId }) => ruleId));
      await store.writeBaselines(
        fresh,
        dropped.filter((id) => !taken.has(id)),
      );
      known = new Map([...[...known].filter(([id]) => wanted.has(id)), ...toKnown(fresh)]);
    },
  };
}
