import { compareInstants } from '#contract/exchange/instant.ts';
import { PRODUCT_TYPES, WORKING_ORDERS_LIMIT, type Order } from '#contract/exchange/order.ts';
import {
  areaOf,
  asQuery,
  expectEach,
  expectSame,
  expectSorted,
  expectStatus,
  expectThat,
  isTooMany,
  need,
  type Check,
  type Context,
} from './check.ts';
import { checkOrder, laterFirst, ORDER_FILTERS } from './orders.ts';
import { PERSISTED_WITHIN_MS, restingOrders } from './samples.ts';

const check = areaOf('working orders');

const filterChecks = ORDER_FILTERS.map(([name, field]) =>
  check('interface', `${name} returns all matching orders and no others`, async (context) => {
    const rows = await restingOrders(context);
    const value = String(need(rows.at(0), 'resting order')[field]);
    const filtered = await context.read('ordersWorking', { query: asQuery({ [name]: value }) });
    expectThat(filtered.length > 0, `no order with ${field} ${value}`);
    expectEach(filtered, `${field} is ${value}`, (row) => String(row[field]) === value);
    const missing = rows.find((row) => String(row[field]) === value && filtered.every(({ id }) => id !== row.id));
    if (missing !== undefined) await expectClosedSince(context, missing, name);
    if (!isTooMany(await context.probe.request({ name: 'ordersWorking' }))) expectListed(rows, filtered, name);
    return `${String(filtered.length)} of ${String(rows.length)}`;
  }),
);

/** An order missing with one filter may have closed since: then it is missing with all the other filters, too. */
async function expectClosedSince(context: Context, order: Order, name: string): Promise<void> {
  const others = ORDER_FILTERS.filter(([other]) => other !== name).map(([other, field]) => [
    other,
    String(order[field]),
  ]);
  const resting = await context.read('ordersWorking', {
    query: asQuery(Object.fromEntries(others) as Readonly<Record<string, string>>),
  });
  expectThat(
    resting.every(({ id }) => id !== order.id),
    `order ${order.id} is working but missing from the orders filtered by ${name}`,
  );
}

/** An order missing from the whole list may have just arrived, unless it is older than the oldest of the list. */
function expectListed(rows: readonly Order[], filtered: readonly Order[], name: string): void {
  const ids = new Set(rows.map(({ id }) => id));
  const oldest = need(rows.at(-1), 'resting order');
  const hidden = filtered.find((row) => !ids.has(row.id) && compareInstants(row.time, oldest.time) < 0);
  expectThat(hidden === undefined, `order ${hidden?.id ?? ''}, filtered by ${name}, is missing from all orders`);
}

/** A response with exactly the limit may be complete or truncated: reading the orders in parts shows which. */
async function expectNotTruncated(context: Context): Promise<void> {
  const longAgo = context.probe.now() - PERSISTED_WITHIN_MS;
  const rows = await context.readAgain('ordersWorking');
  const ids = new Set(rows.map(({ id }) => id));
  for (const firm of new Set(rows.map((row) => row.clearing_firm_code))) {
    for (const type of PRODUCT_TYPES) {
      const query = asQuery({ clearing_member_code: firm, product_type: type });
      const part = await context.probe.request({ name: 'ordersWorking', query });
      expectThat(
        !isTooMany(part),
        `all orders fit into one response, but those of ${firm}, ${type} are refused as too many`,
      );
      const hidden = (await context.read('ordersWorking', { query })).find(
        ({ id, time }) => !ids.has(id) && Date.parse(time) < longAgo,
      );
      expectThat(
        hidden === undefined,
        `order ${hidden?.id ?? ''} of ${firm} is missing from all orders, which were truncated`,
      );
    }
  }
}

export const workingChecks: readonly Check[] = [
  check('interface', 'every order is working, not fully filled and not IOC', async (context) => {
    const rows = await restingOrders(context);
    expectEach(rows, 'working', ({ status }) => status === 'Working');
    expectEach(rows, 'not fully filled', (row) => Number(row.quantity_filled) < Number(row.quantity_requested));
    expectEach(rows, 'not IOC', (row) => row.time_in_force !== 'IOC');
    checkOrder(rows);
    return `${String(rows.length)} orders`;
  }),
  check('interface', 'sorted by time, then id, both descending', async (context) => {
    expectSorted(await restingOrders(context), 'descending', laterFirst);
  }),
  check('interface', 'more than 10,000 orders are refused with a sentence, never truncated', async (context) => {
    const response = await context.probe.request({ name: 'ordersWorking' });
    if (response.status !== 400) {
      const { length } = await context.read('ordersWorking');
      expectThat(length <= WORKING_ORDERS_LIMIT, 'a response has more orders than the limit');
      if (length === WORKING_ORDERS_LIMIT) await expectNotTruncated(context);
      return `${String(length)} working`;
    }
    expectThat(isTooMany(response), `the response does not name the limit: ${response.text.slice(0, 120)}`);
    return 'refused';
  }),
  check('interface', 'a filter without matches returns an empty array', async (context) => {
    expectSame(await context.read('ordersWorking', { query: asQuery({ account_id: 'NO-SUCH-ACCOUNT' }) }), [], 'rows');
  }),
  ...filterChecks,
  ...['cursor', 'limit', 'order', 'day', 'begin_time', 'end_time'].map((name) =>
    check('decision', `${name} is not supported and is refused`, async ({ probe }) => {
      const value = { limit: '10', order: 'asc', day: '2026-01-02', cursor: 'abc' }[name] ?? '2026-01-02T00:00:00Z';
      const response = await probe.request({ name: 'ordersWorking', query: asQuery({ [name]: value }) });
      expectStatus(response, 400);
      expectThat(response.text.includes(name), `the response does not name it: ${response.text.slice(0, 120)}`);
    }),
  ),
];
