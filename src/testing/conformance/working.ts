import { compareInstants } from '#contract/instant.ts';
import { PRODUCT_TYPES, WORKING_ORDERS_LIMIT, type Order } from '#contract/order.ts';
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
  check('interface', `${name} keeps only its orders, and all of them`, async (context) => {
    const rows = await restingOrders(context);
    const value = String(need(rows.at(0), 'resting order')[field]);
    const filtered = await context.read('ordersWorking', { query: asQuery({ [name]: value }) });
    expectThat(filtered.length > 0, `none of ${value}`);
    expectEach(filtered, `${field} is ${value}`, (row) => String(row[field]) === value);
    const missing = rows.find((row) => String(row[field]) === value && filtered.every(({ id }) => id !== row.id));
    if (missing !== undefined) await expectGone(context, missing, name);
    if (!isTooMany(await context.probe.request({ name: 'ordersWorking' }))) expectAmong(rows, filtered, name);
    return `${String(filtered.length)} of ${String(rows.length)}`;
  }),
);

/** An order that a filter does not give may be gone since: then all the others together do not give it either. */
async function expectGone(context: Context, order: Order, name: string): Promise<void> {
  const others = ORDER_FILTERS.filter(([other]) => other !== name).map(([other, field]) => [other, String(order[field])]);
  const resting = await context.read('ordersWorking', { query: asQuery(Object.fromEntries(others) as Readonly<Record<string, string>>) });
  expectThat(resting.every(({ id }) => id !== order.id), `order ${order.id} rests, and ${name} does not give it`);
}

/** An order that all together do not give may have just arrived, but not where the oldest of all is younger. */
function expectAmong(rows: readonly Order[], filtered: readonly Order[], name: string): void {
  const ids = new Set(rows.map(({ id }) => id));
  const oldest = need(rows.at(-1), 'resting order');
  const hidden = filtered.find((row) => !ids.has(row.id) && compareInstants(row.time, oldest.time) < 0);
  expectThat(hidden === undefined, `${name} gives order ${hidden?.id ?? ''}, which is not among all`);
}

/** As many orders as one answer may hold may be all there are, or what was left of more: asked for by parts, they tell. */
async function expectUncut(context: Context): Promise<void> {
  const longAgo = context.probe.now() - PERSISTED_WITHIN_MS;
  const rows = await context.readAgain('ordersWorking');
  const ids = new Set(rows.map(({ id }) => id));
  for (const firm of new Set(rows.map((row) => row.clearing_firm_code))) {
    for (const type of PRODUCT_TYPES) {
      const query = asQuery({ clearing_member_code: firm, product_type: type });
      const part = await context.probe.request({ name: 'ordersWorking', query });
      expectThat(!isTooMany(part), `all together are answered, and those of ${firm}, ${type} are too many`);
      const hidden = (await context.read('ordersWorking', { query })).find(
        ({ id, time }) => !ids.has(id) && Date.parse(time) < longAgo,
      );
      expectThat(hidden === undefined, `order ${hidden?.id ?? ''} of ${firm} rests, and was cut from all together`);
    }
  }
}

export const workingChecks: readonly Check[] = [
  check('interface', 'every one rests: working, not filled in full, never IOC', async (context) => {
    const rows = await restingOrders(context);
    expectEach(rows, 'working', ({ status }) => status === 'Working');
    expectEach(rows, 'something is left', (row) => Number(row.quantity_filled) < Number(row.quantity_requested));
    expectEach(rows, 'not IOC', (row) => row.time_in_force !== 'IOC');
    checkOrder(rows);
    return `${String(rows.length)} orders`;
  }),
  check('interface', 'by time, then id, both descending', async (context) => {
    expectSorted(await restingOrders(context), 'descending', laterFirst);
  }),
  check('interface', 'more than 10,000 are refused with a sentence, never cut', async (context) => {
    const answer = await context.probe.request({ name: 'ordersWorking' });
    if (answer.status !== 400) {
      const { length } = await context.read('ordersWorking');
      expectThat(length <= WORKING_ORDERS_LIMIT, 'more than the limit in one answer');
      if (length === WORKING_ORDERS_LIMIT) await expectUncut(context);
      return `${String(length)} rest`;
    }
    expectThat(isTooMany(answer), `the refusal does not name the limit: ${answer.text.slice(0, 120)}`);
    return 'refused';
  }),
  check('interface', 'an empty array where nothing matches', async (context) => {
    expectSame(await context.read('ordersWorking', { query: asQuery({ account_id: 'NO-SUCH-ACCOUNT' }) }), [], 'rows');
  }),
  ...filterChecks,
  ...['cursor', 'limit', 'order', 'day', 'begin_time', 'end_time'].map((name) =>
    check('decision', `${name} is not supported, and refused`, async ({ probe }) => {
      const value = { limit: '10', order: 'asc', day: '2026-01-02', cursor: 'abc' }[name] ?? '2026-01-02T00:00:00Z';
      const answer = await probe.request({ name: 'ordersWorking', query: asQuery({ [name]: value }) });
      expectStatus(answer, 400);
      expectThat(answer.text.includes(name), `the refusal does not name it: ${answer.text.slice(0, 120)}`);
    }),
  ),
];
