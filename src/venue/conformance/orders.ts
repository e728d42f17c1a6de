import { compareInstants } from '#contract/exchange/instant.ts';
import { type Order, PRODUCT_TYPES, WORKING_ORDERS_LIMIT } from '#contract/exchange/order.ts';
import {
  areaOf,
  asQuery,
  type Check,
  type Context,
  expectEach,
  expectSame,
  expectSorted,
  expectStatus,
  expectThat,
  isTooMany,
  need,
} from './check.ts';
import {
  busiestProduct,
  oldestFirst,
  PAGE,
  PERSISTED_WITHIN_MS,
  recentOrders,
  restingOrders,
  walkPages,
} from './samples.ts';
import { compareOrderIds } from '#contract/exchange/ids.ts';
import { toRawQuery } from './probe.ts';

const checkHistory = areaOf('orders');

/** Compares two orders, the later one first. Orders with equal times are compared by ID, as big integers. */
function laterFirst(a: Order, b: Order): number {
  return compareInstants(b.time, a.time) || compareOrderIds(b.id, a.id);
}

/** Expects the latest order first. The interface does not define the order of equal times. */
function expectByTime(rows: readonly Order[]): void {
  expectEach(rows, 'latest first', ({ time }, index) => compareInstants(time, rows[index - 1]?.time ?? time) <= 0);
}

/** Each filter with the field of an order that it selects by. */
export const ORDER_FILTERS = [
  ['symbol', 'symbol'],
  ['product_id', 'product_id'],
  ['product_type', 'product_type'],
  ['clearing_member_code', 'clearing_firm_code'],
  ['account_id', 'account_id'],
  ['connection_id', 'connection_id'],
] as const satisfies readonly (readonly [string, keyof Order])[];

function checkOrder(rows: readonly Order[]): void {
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

/** Returns the oldest of the recent orders. */
async function someOrder(context: Context): Promise<Order> {
  const rows = await recentOrders(context);
  return need(rows.at(-1), 'order');
}

/** Requests a page, explicitly latest first: the interface does not define a default direction. */
async function page(context: Context, query: Readonly<Record<string, string>>): Promise<readonly Order[]> {
  return (await context.read('orders', { query: asQuery({ order: 'desc', ...query }) })).data;
}

const historyFilterChecks = ORDER_FILTERS.map(([name, field]) =>
  checkHistory('interface', `history: ${name} returns all matching orders and no others`, async (context) => {
    const rows = await recentOrders(context);
    const value = String(need(rows.at(0), 'order')[field]);
    const filtered = await page(context, { [name]: value, limit: PAGE });
    expectEach(filtered, `${field} is ${value}`, (row) => String(row[field]) === value);
    const found = new Set(filtered.map(({ id }) => id));
    const oldest = filtered.length === 100 ? filtered.at(-1) : undefined;
    // Orders that arrived between the two requests may have pushed the oldest ones off the page.
    const isBeyond = (row: Order): boolean => oldest !== undefined && compareInstants(row.time, oldest.time) <= 0;
    const missing = rows.filter((row) => String(row[field]) === value && !found.has(row.id) && !isBeyond(row));
    expectThat(missing.length === 0, `${String(missing.length)} orders of the recent orders are missing`);
    return `${String(filtered.length)} orders of ${value}`;
  }),
);

export const historyChecks: readonly Check[] = [
  checkHistory('decision', 'history: latest first by default', async (context) => {
    const { data } = await context.read('orders', { query: asQuery({ limit: PAGE }) });
    expectSorted(data, 'time, then id, both descending', laterFirst);
  }),
  checkHistory('interface', 'history: order=asc is oldest first, order=desc latest first', async (context) => {
    expectByTime(await page(context, { order: 'desc', limit: PAGE }));
    expectByTime((await page(context, { order: 'asc', limit: PAGE })).toReversed());
  }),
  checkHistory(
    'decision',
    'history: orders of equal time are sorted by id, in the direction of order',
    async (context) => {
      expectSorted(await page(context, { order: 'desc', limit: PAGE }), 'descending', laterFirst);
      expectSorted(await page(context, { order: 'asc', limit: PAGE }), 'ascending', (a, b) => laterFirst(b, a));
    },
  ),
  checkHistory('venue facts', 'history: ids are decimal integers above 2^53', async (context) => {
    expectEach(await recentOrders(context), 'beyond 2^53', ({ id }) => BigInt(id) > BigInt(Number.MAX_SAFE_INTEGER));
  }),
  checkHistory('interface', 'history: quantities and times are consistent', async (context) => {
    checkOrder(await recentOrders(context));
  }),
  checkHistory('decision', 'history: avg_price is null if and only if nothing is filled', async (context) => {
    expectEach(
      await recentOrders(context),
      'null or filled',
      (row) => (row.avg_price === null) === (Number(row.quantity_filled) === 0),
    );
  }),
  checkHistory('decision', 'history: filled orders are closed, and IOC orders never rest', async (context) => {
    const rows = await recentOrders(context);
    expectEach(
      rows,
      'closed when fully filled',
      (row) => Number(row.quantity_filled) < Number(row.quantity_requested) || row.status === 'Closed',
    );
    expectEach(rows, 'IOC closed', (row) => row.time_in_force !== 'IOC' || row.status === 'Closed');
  }),
  checkHistory('interface', 'history: pages return every order once', async (context) => {
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
  checkHistory('interface', 'history: paging ends after the oldest order', async (context) => {
    const { time } = need((await page(context, { order: 'asc', limit: PAGE })).at(50), '50 orders');
    const walked = await walkPages<Order>(context, 'orders', { end_time: time, order: 'desc', limit: '20' }, 8);
    expectThat(walked.end !== 'stopped', 'paging does not end after the oldest orders');
    expectThat(
      walked.rows.length > 0 && walked.rows.every((row) => compareInstants(row.time, time) <= 0),
      'an order is outside the requested range',
    );
    return walked.end;
  }),
  checkHistory('interface', 'history: orders are within the requested range', async (context) => {
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
  checkHistory('decision', 'history: begin_time is inclusive, end_time is exclusive', async (context) => {
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
  checkHistory('interface', 'history: day overrides begin_time and end_time', async (context) => {
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
  checkHistory('decision', 'history: a day runs from the previous settlement to its own', async (context) => {
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
  checkHistory('decision', 'history: a page has 100 orders by default', async (context) => {
    expectSame((await page(context, {})).length, 100, 'orders');
  }),
  ...historyFilterChecks,
  checkHistory('interface', 'history: two filters both apply', async (context) => {
    const { account_id, side, symbol } = await someOrder(context);
    const rows = await page(context, { account_id, symbol, limit: '50' });
    expectThat(rows.length > 0, `none of ${account_id}, ${symbol}, ${side}`);
    expectEach(rows, 'both', (row) => row.account_id === account_id && row.symbol === symbol);
  }),
  checkHistory('decision', 'history: a filter without matches returns an empty page', async (context) => {
    expectSame(await page(context, { account_id: 'NO-SUCH-ACCOUNT' }), [], 'rows');
  }),
  checkHistory('decision', 'history: a changed cursor is refused', async (context) => {
    const { pagination } = await context.read('orders', { query: asQuery({ limit: '5' }) });
    const cursor = need(pagination.cursor, 'second page');
    const changed = (cursor.startsWith('A') ? 'B' : 'A') + cursor.slice(1);
    const response = await context.probe.request({ name: 'orders', query: asQuery({ limit: '5', cursor: changed }) });
    expectSame(response.status, 400, toRawQuery(asQuery({ cursor: changed })));
  }),
];

const checkWorking = areaOf('working orders');

const workingFilterChecks = ORDER_FILTERS.map(([name, field]) =>
  checkWorking('interface', `${name} returns all matching orders and no others`, async (context) => {
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

/** Expects an order that one filter lacks to have closed since: then the other filters together lack it too. */
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

/** Expects filtered orders to be in the full list. Only those newer than its oldest order may have just arrived. */
function expectListed(rows: readonly Order[], filtered: readonly Order[], name: string): void {
  const ids = new Set(rows.map(({ id }) => id));
  const oldest = need(rows.at(-1), 'resting order');
  const hidden = filtered.find((row) => !ids.has(row.id) && compareInstants(row.time, oldest.time) < 0);
  expectThat(hidden === undefined, `order ${hidden?.id ?? ''}, filtered by ${name}, is missing from all orders`);
}

/**
 * Expects a response of exactly the limit to be complete. Reading the orders in parts reveals any that were cut off.
 */
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
  checkWorking('interface', 'every order is working, not fully filled and not IOC', async (context) => {
    const rows = await restingOrders(context);
    expectEach(rows, 'working', ({ status }) => status === 'Working');
    expectEach(rows, 'not fully filled', (row) => Number(row.quantity_filled) < Number(row.quantity_requested));
    expectEach(rows, 'not IOC', (row) => row.time_in_force !== 'IOC');
    checkOrder(rows);
    return `${String(rows.length)} orders`;
  }),
  checkWorking('interface', 'sorted by time, then id, both descending', async (context) => {
    expectSorted(await restingOrders(context), 'descending', laterFirst);
  }),
  checkWorking('interface', 'more than 10,000 orders are refused with a sentence, never truncated', async (context) => {
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
  checkWorking('interface', 'a filter without matches returns an empty array', async (context) => {
    expectSame(await context.read('ordersWorking', { query: asQuery({ account_id: 'NO-SUCH-ACCOUNT' }) }), [], 'rows');
  }),
  ...workingFilterChecks,
  ...['cursor', 'limit', 'order', 'day', 'begin_time', 'end_time'].map((name) =>
    checkWorking('decision', `${name} is not supported and is refused`, async ({ probe }) => {
      const value = { limit: '10', order: 'asc', day: '2026-01-02', cursor: 'abc' }[name] ?? '2026-01-02T00:00:00Z';
      const response = await probe.request({ name: 'ordersWorking', query: asQuery({ [name]: value }) });
      expectStatus(response, 400);
      expectThat(response.text.includes(name), `the response does not name it: ${response.text.slice(0, 120)}`);
    }),
  ),
];
