import type { ActivityRule, FundingRule, OrdersRule, Rule } from '#contract/desk/rules.ts';
import type { OrderKind, RuleOrderFilter } from '#contract/desk/rule-filters.ts';
import type { Order } from '#contract/exchange/order.ts';
import { orderFilters, type Parameter } from '#contract/exchange/parameters.ts';
import type { Each } from '#contract/desk/rule-measures.ts';

/** Returns whether an order matches a rule. */
export type OrderTest = (order: Order) => boolean;

/**
 * Compares the fields that the interface's table of parameters names for each filter. Limits of figures are for
 * `toLimitTest`.
 */
export function toOrderTest(filter: RuleOrderFilter): OrderTest {
  const { kinds } = filter;
  const tests = [
    ...Object.entries(orderFilters).flatMap(([name, parameter]) => {
      const value = filter[name as keyof typeof orderFilters];
      return value === undefined ? [] : [toTest(parameter, value)];
    }),
    ...(kinds === undefined ? [] : [(order: Order) => kinds.includes(toKind(order))]),
  ];
  return (order) => tests.every((test) => test(order));
}

function toKind({ product_type: type }: Order): OrderKind {
  if (type === 'Option') return 'option';
  return type === 'Spread' ? 'spread' : 'outright';
}

function toTest({ rule }: Parameter, value: string): OrderTest {
  if (rule?.kind !== 'equal') throw new Error('A filter of orders has no field that proves it.');
  const comparable = rule.ignoresCase === true ? (text: string) => text.toLowerCase() : (text: string) => text;
  const wanted = comparable(value);
  const [field = ''] = rule.fields;
  return (order) => comparable(String(order[field as keyof Order])) === wanted;
}

const GROUP_FIELDS = {
  account: 'account_id',
  product: 'symbol',
  firm: 'clearing_firm_code',
  connection: 'connection_id',
  order: 'id',
} as const;

/** Groups rows by owner, product or order; for `all`, returns one group without a name, even if there are no rows. */
export function groupRows<Row>(
  rows: readonly Row[],
  orderOf: (row: Row) => Order,
  each: Each,
): ReadonlyMap<string, readonly Row[]> {
  return each === 'all' ? new Map([['', rows]]) : Map.groupBy(rows, (row) => subjectOf(orderOf(row), each));
}

export function subjectOf(order: Order, each: Exclude<Each, 'all'>): string {
  return order[GROUP_FIELDS[each]];
}

export function isOfOrders(rule: Rule): rule is OrdersRule | ActivityRule {
  return rule.about === 'orders' || rule.about === 'activity';
}

/**
 * Returns whether a rule is evaluated separately for each subject. Results without a subject then apply to the rule as
 * a whole.
 */
export function isGrouped(rule: Rule): boolean {
  return nounOfSubjects(rule) !== null;
}

const NOUNS: Readonly<Record<Exclude<Each, 'all'>, string>> = {
  account: 'account',
  product: 'product',
  firm: 'clearing firm',
  connection: 'connection',
  order: 'order',
};

/** Funding times are the same for all perpetuals, so a rule about them has one subject. */
export function isOfOnePerpetual({ measure, base_symbol: base }: FundingRule): boolean {
  return base !== undefined || measure === 'time_left';
}

/** Returns the noun for a rule's subjects; null if it is evaluated for everything together. */
export function nounOfSubjects(rule: Rule): string | null {
  if (rule.about === 'market') return NOUNS.product;
  if (rule.about === 'funding') return isOfOnePerpetual(rule) ? null : 'perpetual';
  return isOfOrders(rule) && rule.each !== 'all' ? NOUNS[rule.each] : null;
}

/** Returns the filter that selects one subject; null if there is none. */
export function filterOfSubjects({
  each,
}: Pick<OrdersRule | ActivityRule, 'each'>): (typeof FILTERS)[keyof typeof FILTERS] | null {
  return each === 'all' || each === 'order' ? null : FILTERS[each];
}

const FILTERS = {
  account: 'account_id',
  product: 'symbol',
  firm: 'clearing_member_code',
  connection: 'connection_id',
} as const;

/**
 * Adds the subjects that exist even without any order: the one that the filter names, and the remembered ones.
 * Connection codes ignore case.
 */
export function addLasting<Found>(
  subjects: ReadonlyMap<string, Found>,
  { each, filter }: Pick<OrdersRule | ActivityRule, 'each' | 'filter'>,
  remembered: Iterable<string>,
  nothing: Found,
): ReadonlyMap<string, Found> {
  const name = filterOfSubjects({ each });
  if (name === null) return subjects;
  const named = filter[name];
  const known = new Set([...subjects.keys(), ...remembered].map((subject) => subject.toLowerCase()));
  const all = new Map(subjects);
  for (const subject of [...remembered, ...(named === undefined || known.has(named.toLowerCase()) ? [] : [named])])
    if (subject !== '' && !all.has(subject)) all.set(subject, nothing);
  return all;
}
