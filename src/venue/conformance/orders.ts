import { compareOrderIds } from '#contract/exchange/ids.ts';
import { compareInstants } from '#contract/exchange/instant.ts';
import type { Order } from '#contract/exchange/order.ts';
import {
  areaOf,
  asQuery,
  expectEach,
  expectSame,
  expectSorted,
  expectThat,
  need,
  type Check,
  type Context,
} from './check.ts';
import { toRawQuery } from './probe.ts';
import { busiestProduct, oldestFirst, PAGE, recentOrders } from './samples.ts';
import { walkPages } from './walk.ts';

const check = areaOf('orders');

/** Negative where `a` is the later order. Equal times are compared by id, as big integers. */
export function laterFirst(a: Order, b: Order): number {
  return compareInstants(b.time, a.time) || compareOrderIds(b.id, a.id);
}

/** Latest first. For equal times the interface leaves the order open. */
function expectByTime(rows: readonly Order[]): void {
  expectEach(rows, 'latest first', ({ time }, index) => compareInstants(time, rows[index - 1]?.time ?? time) <= 0);
}

/** Each filter with the order field that it selects by. */
export const ORDER_FILTERS = [
  ['symbol', 'symbol'],
  ['product_id', 'product_id'],
  ['product_type', 'product_type'],
  ['clearing_member_code', 'clearing_firm_code'],
  ['account_id', 'account_id'],
  ['connection_id', 'connection_id'],
] as const satisfies readonly (readonly [string, keyof Order])[];

export function checkOrder(rows: readonly Order[]): void {
  expectEach(
    rows,
    'filled is at most requested',
    (row) => Number(row.quantity_filled) <= Number(row.quantity_requested),
  );
  expectEach(rows, 'requested is at least 1', (row) => Number(row.quantity_requested) >= 1);
  expectEach(
    rows,
    'last_modified is not before time',
    (row) => row.last_modified !== null && compareInstants(row.last_modified, row.time) >= 0,
  );
}

/** The oldest of the recent orders. */
async function someOrder(context: Context): Promise<Order> {
  const rows = await recentOrders(context);
  return need(rows.at(-1), 'order');
}

/** Latest first, explicitly: the interface does not say which order is the default. */
async function page(context: Context, query: Readonly<Record<string, string>>): Promise<readonly Order[]> {
  return (await context.read('orders', { query: asQuery({ order: 'desc', ...query }) })).data;
}

const filterChecks = ORDER_FILTERS.map(([name, field]) =>
  check('interface', `history: ${name} returns all matching orders and no others`, async (context) => {
    const rows = await recentOrders(context);
    const value = String(need(rows.at(0), 'order')[field]);
    const filtered = await page(context, { [name]: value, limit: PAGE });
    expectEach(filtered, `${field} is ${value}`, (row) => String(row[field]) === value);
    const found = new Set(filtered.map(({ id }) => id));
    const oldest = filtered.length === 100 ? filtered.at(-1) : undefined;
    // Orders that arrived between the two requests may have pushed the oldest off the page.
    const isBeyond = (row: Order): boolean => oldest !== undefined && compareInstants(row.time, oldest.time) <= 0;
    const missing = rows.filter((row) => String(row[field]) === value && !found.has(row.id) && !isBeyond(row));
    expectThat(missing.length === 0, `${String(missing.length)} orders of the recent orders are missing`);
    return `${String(filtered.length)} orders of ${value}`;
  }),
);

export const historyChecks: readonly Check[] = [
  check('decision', 'history: latest first by default', async (context) => {
    const { data } = await context.read('orders', { query: asQuery({ limit: PAGE }) });
    expectSorted(data, 'time, then id, both descending', laterFirst);
  }),
  check('interface', 'history: order=asc is oldest first, order=desc latest first', async (context) => {
    expectByTime(await page(context, { order: 'desc', limit: PAGE }));
    expectByTime((await page(context, { order: 'asc', limit: PAGE })).toReversed());
  }),
  check('decision', 'history: orders of equal time are sorted by id, in the direction of order', async (context) => {
    expectSorted(await page(context, { order: 'desc', limit: PAGE }), 'descending', laterFirst);
    expectSorted(await page(context, { order: 'asc', limit: PAGE }), 'ascending', (a, b) => laterFirst(b, a));
  }),
  check('venue facts', 'history: ids are decimal integers above 2^53', async (context) => {
    expectEach(await recentOrders(context), 'beyond 2^53', ({ id }) => BigInt(id) > BigInt(Number.MAX_SAFE_INTEGER));
  }),
  check('interface', 'history: quantities and times are consistent', async (context) => {
    checkOrder(await recentOrders(context));
  }),
  check('decision', 'history: avg_price is null if and only if nothing is filled', async (context) => {
    expectEach(
      await recentOrders(context),
      'null or filled',
      (row) => (row.avg_price === null) === (Number(row.quantity_filled) === 0),
    );
  }),
  check('decision', 'history: filled orders are closed, and IOC orders never rest', async (context) => {
    const rows = await recentOrders(context);
    expectEach(
      rows,
      'closed when fully filled',
      (row) => Number(row.quantity_filled) < Number(row.quantity_requested) || row.status === 'Closed',
    );
    expectEach(rows, 'IOC closed', (row) => row.time_in_force !== 'IOC' || row.status === 'Closed');
  }),
  check('interface', 'history: pages return every order once', async (context) => {
    const until = (await someOrder(context)).time;
    const whole = await page(context, { end_time: until, limit: '60' });
    const walked = await walkPages<Order>(context, 'orders', { end_time: until, order: 'desc', limit: '20' }, 6);
    expectByTime(walked.rows);
    expectSame(new Set(walked.rows.map(({ id }) => id)).size, walked.rows.length, 'number of distinct orders, of rows');
    expectSame(
      walked.rows.slice(0, 60).map(({ id }) => id),
      whole.map(({ id }) => id),
      'ids of all pages',
    );
    return `${String(walked.pages)} pages, ${walked.end}`;
  }),
  check('interface', 'history: paging ends after the oldest order', async (context) => {
    const { time } = need((await page(context, { order: 'asc', limit: PAGE })).at(50), '50 orders');
    const walked = await walkPages<Order>(context, 'orders', { end_time: time, order: 'desc', limit: '20' }, 8);
    expectThat(walked.end !== 'stopped', 'paging does not end after the oldest orders');
    expectThat(
      walked.rows.length > 0 && walked.rows.every((row) => compareInstants(row.time, time) <= 0),
      'an order is outside the requested range',
    );
    return walked.end;
  }),
  check('interface', 'history: orders are within the requested range', async (context) => {
    const rows = await recentOrders(context);
    const [begin_time, end_time] = [need(rows.at(-10), 'tenth order').time, need(rows.at(10), 'tenth order').time];
    const found = await page(context, { begin_time, end_time, limit: PAGE });
    expectThat(found.length > 0, 'no order within a range that has orders');
    expectEach(
      found,
      'within the range',
      ({ time }) => compareInstants(time, begin_time) >= 0 && compareInstants(time, end_time) <= 0,
    );
  }),
  check('decision', 'history: begin_time is inclusive, end_time is exclusive', async (context) => {
    const rows = await recentOrders(context);
    const [first, last] = [need(rows.at(-10), 'tenth order'), need(rows.at(10), 'tenth order')];
    const range = { begin_time: first.time, end_time: last.time, limit: '1000' };
    const found = await page(context, range);
    expectEach(
      found,
      'within the range',
      (row) => compareInstants(row.time, first.time) >= 0 && compareInstants(row.time, last.time) < 0,
    );
    expectThat(
      found.some(({ id }) => id === first.id),
      'the first order of the range is missing',
    );
  }),
  check('interface', 'history: day overrides begin_time and end_time', async (context) => {
    const day = (await someOrder(context)).time.slice(0, 10);
    const alone = await page(context, { day, limit: '50', order: 'asc' });
    expectThat(alone.length > 0, `no order on ${day}`);
    expectEach(
      alone,
      `within a day of ${day}`,
      ({ time }) => Math.abs(Date.parse(time) - Date.parse(day)) < 2 * 86_400_000,
    );
    const both = await page(context, {
      day,
      limit: '50',
      order: 'asc',
      begin_time: '2000-01-01T00:00:00Z',
      end_time: '2000-01-02T00:00:00Z',
    });
    expectSame(
      both.map(({ id }) => id),
      alone.map(({ id }) => id),
      'ids with and without a range',
    );
  }),
  check('decision', 'history: a day runs from the previous settlement to its own', async (context) => {
    const days = oldestFirst(await context.read('chartPrice', { path: { id: await busiestProduct(context) } }));
    const [before, settled] = [
      need(days.at(-3), 'third day from the end'),
      need(days.at(-2), 'second day from the end'),
    ];
    for (const order of ['asc', 'desc']) {
      const ofDay = await page(context, { day: settled.date, order, limit: PAGE });
      const ofRange = await page(context, { begin_time: before.time, end_time: settled.time, order, limit: PAGE });
      expectThat(ofDay.length > 0, `no order on ${settled.date}`);
      expectSame(
        ofDay.map(({ id }) => id),
        ofRange.map(({ id }) => id),
        `ids of ${settled.date}, ${order}`,
      );
    }
  }),
  check('decision', 'history: a page has 100 orders by default', async (context) => {
    expectSame((await page(context, {})).length, 100, 'orders');
  }),
  ...filterChecks,
  check('interface', 'history: two filters both apply', async (context) => {
    const { account_id, side, symbol } = await someOrder(context);
    const rows = await page(context, { account_id, symbol, limit: '50' });
    expectThat(rows.length > 0, `none of ${account_id}, ${symbol}, ${side}`);
    expectEach(rows, 'both', (row) => row.account_id === account_id && row.symbol === symbol);
  }),
  check('decision', 'history: a filter without matches returns an empty page', async (context) => {
    expectSame(await page(context, { account_id: 'NO-SUCH-ACCOUNT' }), [], 'rows');
  }),
  check('decision', 'history: a changed cursor is refused', async (context) => {
    const { pagination } = await context.read('orders', { query: asQuery({ limit: '5' }) });
    const cursor = need(pagination.cursor, 'second page');
    const changed = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1);
    const response = await context.probe.request({ name: 'orders', query: asQuery({ limit: '5', cursor: changed }) });
    expectSame(response.status, 400, toRawQuery(asQuery({ cursor: changed })));
  }),
];
