import type { RuleOrderFilter } from '#contract/desk/rules.ts';
import type { Order } from '#contract/exchange/order.ts';
import { orderFilters, type Parameter } from '#contract/exchange/parameter-sets.ts';
import type { Each } from '#contract/desk/rule-measures.ts';

/** Whether a rule is about an order. */
export type OrderTest = (order: Order) => boolean;

/** By the fields that the table of the interface names for each filter. */
export function toOrderTest(filter: RuleOrderFilter): OrderTest {
  const tests = Object.entries(filter).map(([name, value]) =>
    toTest(orderFilters[name as keyof typeof orderFilters], value),
  );
  return (order) => tests.every((test) => test(order));
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
} as const;

/** All rows in one group without a name, even where there are none; or those of each owner or product. */
export function groupRows<Row>(
  rows: readonly Row[],
  orderOf: (row: Row) => Order,
  each: Each,
): ReadonlyMap<string, readonly Row[]> {
  return each === 'all' ? new Map([['', rows]]) : Map.groupBy(rows, (row) => groupOf(orderOf(row), each));
}

export function groupOf(order: Order, each: Exclude<Each, 'all'>): string {
  return order[GROUP_FIELDS[each]];
}
