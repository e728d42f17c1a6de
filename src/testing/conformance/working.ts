import type { Order } from '#contract/order.ts';
import { WORKING_ORDERS_LIMIT } from '#contract/order.ts';
import {
  areaOf,
  asQuery,
  expectEach,
  expectSame,
  expectSorted,
  expectStatus,
  expectThat,
  need,
  type Check,
  type Context,
} from './check.ts';
import { checkOrder, laterFirst, ORDER_FILTERS } from './orders.ts';

const check = areaOf('working orders');

/** Some resting orders. The whole set may be too many to be answered at once: then those of an account seen in history. */
async function resting(context: Context): Promise<readonly Order[]> {
  const all = await context.probe.ask({ name: 'ordersWorking' });
  if (all.status !== 400) return context.read('ordersWorking');
  const { data } = await context.read('orders', { query: asQuery({ limit: '100' }) });
  return context.read('ordersWorking', { query: asQuery({ account_id: need(data[0], 'order').account_id }) });
}

const filterChecks = ORDER_FILTERS.map(([name, field]) =>
  check('interface', `${name} keeps only its orders`, async (context) => {
    const rows = await resting(context);
    const value = String(need(rows.at(0), 'resting order')[field]);
    const filtered = await context.read('ordersWorking', { query: asQuery({ [name]: value }) });
    expectThat(filtered.length > 0, `none of ${value}`);
    expectEach(filtered, `${field} is ${value}`, (row) => String(row[field]) === value);
    return `${String(filtered.length)} of ${String(rows.length)}`;
  }),
);

export const workingChecks: readonly Check[] = [
  check('interface', 'every one rests: working, not filled in full, never IOC', async (context) => {
    const rows = await resting(context);
    expectEach(rows, 'working', ({ status }) => status === 'Working');
    expectEach(rows, 'something is left', (row) => Number(row.quantity_filled) < Number(row.quantity_requested));
    expectEach(rows, 'not IOC', (row) => row.time_in_force !== 'IOC');
    checkOrder(rows);
    return `${String(rows.length)} orders`;
  }),
  check('interface', 'by time, then id, both descending', async (context) => {
    expectSorted(await resting(context), 'descending', laterFirst);
  }),
  check('interface', 'more than 10,000 are refused with a sentence, never cut', async (context) => {
    const answer = await context.probe.ask({ name: 'ordersWorking' });
    if (answer.status !== 400) {
      expectThat((await resting(context)).length <= WORKING_ORDERS_LIMIT, 'more than the limit in one answer');
      return 'fewer rest';
    }
    expectThat(/10,?000/.test(answer.text), `the refusal does not name the limit: ${answer.text.slice(0, 120)}`);
    return 'refused';
  }),
  check('interface', 'an empty array where nothing matches', async (context) => {
    expectSame(await context.read('ordersWorking', { query: asQuery({ account_id: 'NO-SUCH-ACCOUNT' }) }), [], 'rows');
  }),
  ...filterChecks,
  ...['cursor', 'limit', 'order', 'day', 'begin_time', 'end_time'].map((name) =>
    check('decision', `${name} is not supported, and refused`, async ({ probe }) => {
      const value = { limit: '10', order: 'asc', day: '2026-01-02', cursor: 'abc' }[name] ?? '2026-01-02T00:00:00Z';
      const answer = await probe.ask({ name: 'ordersWorking', query: asQuery({ [name]: value }) });
      expectStatus(answer, 400);
      expectThat(answer.text.includes(name), `the refusal does not name it: ${answer.text.slice(0, 120)}`);
    }),
  ),
];
