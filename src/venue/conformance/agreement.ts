import { setTimeout } from 'node:timers/promises';
import { compareInstants } from '#contract/exchange/instant.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { areaOf, asQuery, DAY_MS, expectSame, expectThat, need, type Check, type Context } from './check.ts';
import {
  busiestProduct,
  oldestFirst,
  PAGE,
  PERSISTED_WITHIN_MS,
  perpetuals,
  publishedScale,
  recentOrders,
  restingOrders,
  specOf,
} from './samples.ts';

/** These checks compare endpoints that report the same thing. */
const check = areaOf('agreement');

/** How far the market may move between the mark at a funding time and the day’s settlement, as a fraction. */
const MARK_TOLERANCE = 0.25;

/**
 * Expects orders that left the working set between two requests to be closed in the history, once that is persisted.
 */
async function expectClosed(context: Context, orders: readonly Order[]): Promise<void> {
  if (orders.length > 0) await setTimeout(PERSISTED_WITHIN_MS);
  for (const { id, time, account_id, symbol } of orders) {
    const begin_time = new Date(Date.parse(time) - 1_000).toISOString();
    const query = asQuery({ account_id, symbol, begin_time, order: 'asc', limit: PAGE });
    const order = (await context.readAgain('orders', { query })).data.find((row) => row.id === id);
    expectThat(order?.status === 'Closed', `order ${id} is working in the history and missing from the working orders`);
  }
}

export const agreementChecks: readonly Check[] = [
  check('interface', 'daily volume equals the volume of the price row', async (context) => {
    const id = await busiestProduct(context);
    const candles = await context.read('chartPrice', { path: { id } });
    const volumes = new Map(
      (await context.read('chartVoi', { query: [['product_id', id]] })).map((row) => [row.date, row.volume]),
    );
    for (const { date, ohlc } of candles)
      if (volumes.has(date)) expectSame(volumes.get(date), ohlc.volume, `volume of ${id} on ${date}`);
    const compared = candles.filter(({ date }) => volumes.has(date)).length;
    expectThat(
      compared > 0 && compared >= candles.length - 1,
      `only ${String(compared)} of ${String(candles.length)} days have both a price row and a volume row`,
    );
    return `${String(compared)} days`;
  }),
  check(
    'interface',
    'notional volume, in cents, implies a price between the low and the high of the day',
    async (context) => {
      const id = await busiestProduct(context);
      const { contract_size: size } = await specOf(context, id);
      const voi = new Map(
        (await context.read('chartVoi', { query: [['product_id', id]] })).map((row) => [row.date, row]),
      );
      let compared = 0;
      for (const { date, ohlc } of await context.read('chartPrice', { path: { id } })) {
        const row = voi.get(date);
        if (row === undefined || row.volume === null) continue;
        const mean = Number(row.notionalVolume) / 100 / (Number(row.volume) * size);
        const roundings = 0.01 / size;
        expectThat(
          mean >= Number(ohlc.low) - roundings && mean <= Number(ohlc.high) + roundings,
          `${date}: the mean price, ${String(mean)} USD, is outside ${ohlc.low} to ${ohlc.high}`,
        );
        compared++;
      }
      expectThat(compared > 0, 'no day could be compared');
      return `${String(compared)} days of ${id}`;
    },
  ),
  check(
    'interface',
    'trailing volume is between today’s volume and today’s plus the last settled day’s',
    async (context) => {
      const id = await busiestProduct(context);
      const today = (await context.read('productDataAll')).find((row: ProductData) => String(row.product_id) === id);
      const traded = Number(need(today, `data of ${id}`).volume ?? 0);
      const trailing = Number((await context.read('trailingStats', { path: { product_id: id } })).volume ?? 0);
      const days = await context.read('chartVoi', { query: [['product_id', id]] });
      const settled = oldestFirst(days)
        .slice(-2)
        .reduce((sum, { volume }) => sum + Number(volume ?? 0), 0);
      const settledAt = Date.parse(
        need(oldestFirst(await context.read('chartPrice', { path: { id } })).at(-1), 'settled day').time,
      );
      // A session may last more than 24 hours, in which case its first trades have left the window.
      expectThat(
        trailing >= traded || context.probe.now() - settledAt >= DAY_MS,
        `trailing volume is ${String(trailing)}, less than today’s ${String(traded)}`,
      );
      expectThat(
        trailing <= traded + settled,
        `trailing volume is ${String(trailing)}, more than today’s ${String(traded)} plus ` +
          `${String(settled)} of the last settled days`,
      );
      return `${String(trailing)} contracts`;
    },
  ),
  check('venue facts', 'the funding mark, in ticks times tick size, is near the settlement price', async (context) => {
    const odd: string[] = [];
    const all = await perpetuals(context);
    for (const perpetual of all) {
      const { symbol } = await specOf(context, perpetual.id);
      const published = await publishedScale(context, perpetual);
      if (published === null) continue;
      const { ratio, scale } = published;
      expectThat(
        Math.abs(ratio / scale - 1) < MARK_TOLERANCE,
        `${symbol}: the mark is ${String(ratio)} times the settlement price`,
      );
      if (scale !== 1) odd.push(`${symbol} has a published tick size that is ${String(scale)} times too large`);
    }
    expectThat(odd.length <= 1, odd.join(', '));
    return [`${String(all.length)} perpetuals`, ...odd].join('; ');
  }),
  check('interface', 'orders that the history shows as working are in the working set', async (context) => {
    const { data } = await context.readAgain('orders', { query: asQuery({ order: 'desc', limit: PAGE }) });
    const resting = new Set((await context.readAgain('ordersWorking')).map(({ id }) => id));
    const persisted = context.probe.now() - PERSISTED_WITHIN_MS;
    const working = data.filter(
      ({ status, last_modified }) =>
        status === 'Working' && last_modified !== null && Date.parse(last_modified) < persisted,
    );
    await expectClosed(
      context,
      working.filter(({ id }) => !resting.has(id)),
    );
    return `${String(working.length)} compared`;
  }),
  check('interface', 'an order’s symbol and type match its product specification', async (context) => {
    const specs = new Map((await context.read('productSpecs')).map((spec) => [String(spec.product_id), spec]));
    const types: Record<string, string> = { future: 'Future', perpetual: 'Future', spread: 'Spread', option: 'Option' };
    for (const { product_id, symbol, product_type } of await recentOrders(context)) {
      const spec = specs.get(String(product_id));
      if (spec)
        expectSame(
          [symbol, product_type],
          [spec.symbol, types[spec.type] ?? spec.type],
          `order in product ${String(product_id)}`,
        );
    }
  }),
  check('interface', 'endpoints of one product match the lists of all products', async (context) => {
    const id = await busiestProduct(context);
    expectSame(
      await context.read('productSpec', { path: { id } }),
      await specOf(context, id),
      `specification of ${id}`,
    );
    const one = await context.read('productData', { path: { id } });
    expectSame(String(one.product_id), id, 'product');
  }),
  check('interface', 'no working order has a time in the future', async (context) => {
    const now = new Date(context.probe.now() + 5_000).toISOString();
    for (const { time, id } of await restingOrders(context)) {
      expectThat(compareInstants(time, now as typeof time) <= 0, `order ${id} has the time ${time}`);
    }
  }),
];
