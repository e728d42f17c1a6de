import type { ActivityRule, OrdersRule, Rule } from '#contract/desk/rules.ts';
import { filterOfGroups, isOfOrders } from '#model/rules/rule-groups.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import { MINUTE_MS } from '#server/journal/summary/summary.ts';
import { TRAITS, toTraitTests } from '#server/journal/summary/traits.ts';

/** Whose orders a rule has ever been about, as far as the journal reaches back and since it is evaluated. */
export interface KnownGroups {
  /** Finds out what the journal knows of them, once for each rule. */
  readonly prepare: (rules: readonly Rule[]) => Promise<void>;
  /** Groups of which a rule about activity speaks even where nothing of them is left: who has gone silent has no orders. */
  readonly of: (rule: Rule) => readonly string[];
  readonly note: (rule: Rule, groups: readonly string[]) => void;
  /** Whether any order ever matched its filter. */
  readonly hasMatched: (rule: Rule) => boolean;
}

export function createKnownGroups({ activity, state }: Pick<JournalRoom, 'activity' | 'state'>): KnownGroups {
  const known = new WeakMap<Rule, Set<string>>();
  const inJournal = async (rule: OrdersRule | ActivityRule): Promise<readonly string[]> => {
    const { from, lastReading } = state();
    if (from === null || lastReading === null) return [];
    const trait = filterOfGroups(rule);
    const span = {
      from: Math.floor(from / MINUTE_MS) * MINUTE_MS,
      to: (Math.floor(lastReading.to / MINUTE_MS) + 1) * MINUTE_MS,
    };
    const { groups } = await activity({
      ...span,
      bucketMs: span.to - span.from,
      by: trait === null ? [] : [TRAITS.indexOf(trait)],
      tests: toTraitTests(Object.entries(rule.filter)),
      scope: 'all',
    });
    return groups.map(({ traits }) => traits[0] ?? '');
  };
  return {
    prepare: async (rules) => {
      for (const rule of rules)
        if (isOfOrders(rule) && !known.has(rule)) known.set(rule, new Set(await inJournal(rule)));
    },
    // What the expression says of orders that are gone is not in the journal's summaries.
    of: (rule) => (rule.about === 'activity' && rule.expression === undefined ? [...(known.get(rule) ?? [])] : []),
    note: (rule, groups) => {
      const own = known.get(rule);
      for (const group of groups) own?.add(group);
    },
    hasMatched: (rule) => (known.get(rule)?.size ?? 0) > 0,
  };
}
