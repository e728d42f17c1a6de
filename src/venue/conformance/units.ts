import type { Order } from '#contract/exchange/order.ts';
import { areaOf, asQuery, type Check, type Context, expectThat, median, need } from './check.ts';
import { busiestProduct, daysAgo, oldestFirst, PAGE, perpetuals, specOf, walkPages } from './samples.ts';

/** These checks verify that amounts are in the unit of clause 4.9, or in the one observed at the real exchange. */
const check = areaOf('units');

/** The factor by which a market may move between two compared figures; a wrong unit is off by more. */
const LARGEST_MOVE = 2;
/** Figures of the same instant differ by at most this fraction. */
const LARGEST_BASIS = 0.25;
const LARGEST_LAST_MOVE = 0.05;
/** A single order may be far from the market, but the median of many is near it. */
const FEWEST_ORDERS = 5;
const ENOUGH_ORDERS = 50;
const MOST_PAGES = 10;

function expectNear(value: number, low: number, high: number, what: string): void {
  expectThat(
    value >= low / LARGEST_MOVE && value <= high * LARGEST_MOVE,
    `${what} is ${String(value)}, expected about ${String(low)} to ${String(high)}`,
  );
}

/** Compares order prices with the marks of their perpetuals. Both are in ticks, so no tick size is needed. */
async function expectNearMark(context: Context, priceOf: (order: Order) => number | null): Promise<string> {
  const marks = new Map((await perpetuals(context)).map(({ id, latest }) => [id, Number(latest.mark_price)]));
  const toRatios = (orders: readonly Order[]) =>
    orders.flatMap((order) => {
      const [price, mark] = [priceOf(order), marks.get(String(order.product_id))];
      return price === null || mark === undefined ? [] : [price / mark];
    });
  // Orders of perpetuals have the type Future. One page may contain too few filled ones.
  const query = { product_type: 'Future', begin_time: daysAgo(context, 7), order: 'desc', limit: PAGE };
  const { rows } = await walkPages<Order>(
    context,
    'orders',
    query,
    MOST_PAGES,
    (some) => toRatios(some).length >= ENOUGH_ORDERS,
  );
  const ratios = toRatios(rows);
  const usual = need(median(ratios.length < FEWEST_ORDERS ? [] : ratios), 'week with enough orders in perpetuals');
  expectNear(usual, 1, 1, 'the typical order price divided by the mark');
  return `${String(ratios.length)} orders`;
}

export const unitChecks: readonly Check[] = [
  check('interface', 'trailing notional is in USD: contracts at recent prices', async (context) => {
    const id = await busiestProduct(context);
    const { contract_size: size } = await specOf(context, id);
    const { volume, notionalVolume } = await context.read('trailingStats', { path: { product_id: id } });
    const days = oldestFirst(await context.read('chartPrice', { path: { id } })).slice(-3);
    const mean = Number(need(notionalVolume, `trailing value of ${id}`)) / (Number(volume) * size);
    const [low, high] = [
      Math.min(...days.map(({ ohlc }) => Number(ohlc.low))),
      Math.max(...days.map(({ ohlc }) => Number(ohlc.high))),
    ];
    expectNear(mean, low, high, `the mean price of ${id}`);
  }),
  check('interface', 'notional open interest is in cents: contracts at the settlement price', async (context) => {
    const id = await busiestProduct(context);
    const { contract_size: size } = await specOf(context, id);
    const settlements = new Map(
      (await context.read('chartPrice', { path: { id } })).map((row) => [row.date, Number(row.settlementPrice)]),
    );
    const rows = await context.read('chartVoi', { query: [['product_id', id]] });
    const compared = rows.flatMap(({ date, openInterest, notionalOpenInterest }) => {
      const settlement = settlements.get(date);
      if (settlement === undefined || notionalOpenInterest === null || Number(openInterest ?? 0) === 0) return [];
      expectNear(
        Number(notionalOpenInterest) / 100 / (Number(openInterest) * size),
        settlement,
        settlement,
        `a contract’s value on ${date}`,
      );
      return [date];
    });
    need(compared[0], `open interest of ${id}`);
    return `${String(compared.length)} days`;
  }),
  check('interface', 'settlement prices are near the last trade of their day', async (context) => {
    const days = await context.read('chartPrice', {
      path: { id: await busiestProduct(context) },
      query: asQuery({ begin_time: daysAgo(context, 90) }),
    });
    const moves = days.map(({ ohlc, settlementPrice }) => Math.abs(Number(settlementPrice) / Number(ohlc.close) - 1));
    const usual = need(median(moves), 'settled day');
    expectThat(
      usual < LARGEST_LAST_MOVE,
      `on half of the days the settlement price differs from the last trade by a fraction of ${String(usual)} or more`,
    );
  }),
  check('venue facts', 'order prices are in ticks, like marks', (context) =>
    expectNearMark(context, ({ price }) => Number(price)),
  ),
  check('venue facts', 'average prices of orders are in ticks, like marks', (context) =>
    expectNearMark(context, ({ avg_price }) => (avg_price === null ? null : Number(avg_price))),
  ),
  check('venue facts', 'the index of a perpetual is in ticks, like its mark', async (context) => {
    for (const { id, latest } of await perpetuals(context)) {
      const ratio = Number(latest.price_index) / Number(latest.mark_price);
      expectThat(Math.abs(ratio - 1) < LARGEST_BASIS, `the index of ${id} is ${String(ratio)} times its mark`);
    }
  }),
];
