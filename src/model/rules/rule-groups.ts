import type { ActivityRule, OrdersRule, Rule } from '#contract/desk/rules.ts';
import type { Each } from '#contract/desk/rule-measures.ts';

/** The groups that a rule says something of, each by itself. */

export function isOfOrders(rule: Rule): rule is OrdersRule | ActivityRule {
  return rule.about === 'orders' || rule.about === 'activity';
}

/** Whether it is for each of some groups; what is then said of no group is said of the rule. */
export function isGrouped(rule: Rule): boolean {
  return nounOfGroups(rule) !== null;
}

const NOUNS: Readonly<Record<Exclude<Each, 'all'>, string>> = {
  account: 'account',
  product: 'product',
  firm: 'clearing firm',
  connection: 'connection',
};

/** What its groups are; null: it is for all together. */
export function nounOfGroups(rule: Rule): string | null {
  if (rule.about === 'market') return NOUNS.product;
  return isOfOrders(rule) && rule.each !== 'all' ? NOUNS[rule.each] : null;
}

/** The filter that names one of its groups; null: it is for all together. */
export function filterOfGroups({
  each,
}: Pick<OrdersRule | ActivityRule, 'each'>): (typeof FILTERS)[Exclude<Each, 'all'>] | null {
  return each === 'all' ? null : FILTERS[each];
}

const FILTERS = {
  account: 'account_id',
  product: 'symbol',
  firm: 'clearing_member_code',
  connection: 'connection_id',
} as const;

/**
 * The groups, and those that are there even without any order: the one that the filter names, and those that are remembered.
 * Codes of connections are equal in upper and lower case.
 */
export function addLasting<Found>(
  groups: ReadonlyMap<string, Found>,
  { each, filter }: Pick<OrdersRule | ActivityRule, 'each' | 'filter'>,
  remembered: Iterable<string>,
  nothing: Found,
): ReadonlyMap<string, Found> {
  const name = filterOfGroups({ each });
  if (name === null) return groups;
  const named = filter[name];
  const known = new Set([...groups.keys(), ...remembered].map((group) => group.toLowerCase()));
  const all = new Map(groups);
  for (const group of [...remembered, ...(named === undefined || known.has(named.toLowerCase()) ? [] : [named])])
    if (group !== '' && !all.has(group)) all.set(group, nothing);
  return all;
}
