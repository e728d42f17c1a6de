import { setTimeout } from 'node:timers/promises';
import { compareInstants } from '#contract/instant.ts';
import type { Order } from '#contract/order.ts';
import type { ProductData } from '#contract/product.ts';
import { areaOf, asQuery, DAY_MS, expectSame, expectThat, need, type Check, type Context } from './check.ts';
import { busiestProduct, oldestFirst, PAGE, PERSISTED_WITHIN_MS, perpetuals, recentOrders, restingOrders, specOf } from './samples.ts';

/** What two endpoints say of the same thing. */
const check = areaOf('agreement');

/** A day trip of the market may lie between the mark at the boundary and the day's settlement. */
const MARK_TOLERANCE = 0.25;

/** Orders may have been filled or cancelled between two questions: then history says so, as soon as it is persisted. */
async function expectClosed(context: Context, orders: readonly Order[]): Promise<void> {
  if (orders.length > 0) await setTimeout(PERSISTED_WITHIN_MS);
  for (const { id, time, account_id, symbol } of orders) {
    const begin_time = new Date(Date.parse(time) - 1_000).toISOString();
    const query = asQuery({ account_id, symbol, begin_time, order: 'asc', limit: PAGE });
    const order = (await context.readAgain('orders', { query })).data.find((row) => row.id === id);
    expectThat(order?.status === 'Closed', `order ${id} is working in history, and does not rest`);
  }
}

export const agreementChecks: readonly Check[] = [
  check('interface', 'volume of a day is the volume of its candle', async (context) => {
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
      `only ${String(compared)} of ${String(candles.length)} days are in both`,
    );
    return `${String(compared)} days`;
  }),
  check('interface', 'the value traded, in cents, lies between low and high of the day', async (context) => {
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
        `${date}: a mean of ${String(mean)} USD outside ${ohlc.low} to ${ohlc.high}`,
      );
      compared++;
    }
    expectThat(compared > 0, 'no day compared');
    return `${String(compared)} days of ${id}`;
  }),
  check(
    'interface',
    'trailing volume lies between today’s and today’s with the last settled day’s',
    async (context) => {
      const id = await busiestProduct(context);
      const today = (await context.read('productDataAll')).find((row: ProductData) => String(row.product_id) === id);
      const traded = Number(need(today, `data of ${id}`).volume ?? 0);
      const trailing = Number((await context.read('trailingStats', { path: { product_id: id } })).volume ?? 0);
      const days = await context.read('chartVoi', { query: [['product_id', id]] });
      const settled = oldestFirst(days).slice(-2).reduce((sum, { volume }) => sum + Number(volume ?? 0), 0);
      const settledAt = Date.parse(need(oldestFirst(await context.read('chartPrice', { path: { id } })).at(-1), 'settled day').time);
      // A session may be longer than a day: then what was traded first has left the window.
      expectThat(
        trailing >= traded || context.probe.now() - settledAt >= DAY_MS,
        `${String(trailing)} in 24 hours, ${String(traded)} today`,
      );
      expectThat(
        trailing <= traded + settled,
        `${String(trailing)} in 24 hours, ${String(traded)} today and ${String(settled)} before`,
      );
      return `${String(trailing)} contracts`;
    },
  ),
  check('venue facts', 'funding mark in ticks x increment is near the chart’s settlement', async (context) => {
    const odd: string[] = [];
    const all = await perpetuals(context);
    for (const { id, latest } of all) {
      const spec = await specOf(context, id);
      const settled = oldestFirst(await context.read('chartPrice', { path: { id } })).at(-1);
      if (!settled) continue;
      const ratio = (Number(latest.mark_price) * Number(spec.price_increment)) / Number(settled.settlementPrice);
      const scale = 10 ** Math.round(Math.log10(ratio));
      expectThat(
        Math.abs(ratio / scale - 1) < MARK_TOLERANCE,
        `${spec.symbol}: the mark is ${String(ratio)} times the settlement`,
      );
      if (scale !== 1) odd.push(`${spec.symbol} is published ${String(scale)} times too large`);
    }
    expectThat(odd.length <= 1, odd.join(', '));
    return [`${String(all.length)} perpetuals`, ...odd].join('; ');
  }),
  check('interface', 'resting orders are in history as working, once persisted', async (context) => {
    const { data } = await context.readAgain('orders', { query: asQuery({ order: 'desc', limit: PAGE }) });
    const resting = new Set((await context.readAgain('ordersWorking')).map(({ id }) => id));
    const persisted = context.probe.now() - PERSISTED_WITHIN_MS;
    const working = data.filter(({ status, last_modified }) => status === 'Working' && Date.parse(last_modified) < persisted);
    await expectClosed(context, working.filter(({ id }) => !resting.has(id)));
    return `${String(working.length)} compared`;
  }),
  check('interface', 'an order’s product is as specified', async (context) => {
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
  check('interface', 'one specification, one product’s data: the same as among all', async (context) => {
    const id = await busiestProduct(context);
    expectSame(
      await context.read('productSpec', { path: { id } }),
      await specOf(context, id),
      `specification of ${id}`,
    );
    const one = await context.read('productData', { path: { id } });
    expectSame(String(one.product_id), id, 'product');
  }),
  check('interface', 'a working order’s times are not in the future', async (context) => {
    const now = new Date(context.probe.now() + 5_000).toISOString();
    for (const { time, id } of await restingOrders(context)) {
      expectThat(compareInstants(time, now as typeof time) <= 0, `order ${id} is of ${time}`);
    }
  }),
];
