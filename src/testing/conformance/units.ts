import type { Order } from '#contract/order.ts';
import { areaOf, asQuery, expectThat, need, type Check, type Context } from './check.ts';
import { median } from './decimal.ts';
import { busiestProduct, daysAgo, oldestFirst, PAGE, perpetuals, specOf } from './samples.ts';
import { walkPages } from './walk.ts';

/** Whether amounts are in the unit that clause 4.9, or what is known of the venue, says. */
const check = areaOf('units');

/** Markets move, and what is compared is not of one moment; a wrong unit is further off than either. */
const LARGEST_MOVE = 2;
/** What is of one moment is closer. */
const LARGEST_BASIS = 0.25;
const LARGEST_LAST_MOVE = 0.05;
/** A single order may rest anywhere; most of so many are near the market. */
const FEWEST_ORDERS = 5;
const ENOUGH_ORDERS = 50;
const MOST_PAGES = 10;

function expectNear(value: number, low: number, high: number, what: string): void {
  expectThat(
    value >= low / LARGEST_MOVE && value <= high * LARGEST_MOVE,
    `${what} is ${String(value)}, far from ${String(low)} to ${String(high)}`,
  );
}

/** Orders of the last days with their price in marks of their perpetual: both are in ticks, so no increment is needed. */
async function expectNearMark(context: Context, priceOf: (order: Order) => number | null): Promise<string> {
  const marks = new Map((await perpetuals(context)).map(({ id, latest }) => [id, Number(latest.mark_price)]));
  const toRatios = (orders: readonly Order[]) =>
    orders.flatMap((order) => {
      const [price, mark] = [priceOf(order), marks.get(String(order.product_id))];
      return price === null || mark === undefined ? [] : [price / mark];
    });
  // A perpetual's order says Future. Few orders are filled, and fewer of perpetuals: one page may hold too few of them.
  const query = { product_type: 'Future', begin_time: daysAgo(context, 7), order: 'desc', limit: PAGE };
  const { rows } = await walkPages<Order>(context, 'orders', query, MOST_PAGES, (some) => toRatios(some).length >= ENOUGH_ORDERS);
  const ratios = toRatios(rows);
  const usual = need(median(ratios.length < FEWEST_ORDERS ? [] : ratios), 'week in which perpetuals had orders enough');
  expectNear(usual, 1, 1, 'the price of most orders, in marks,');
  return `${String(ratios.length)} orders`;
}

export const unitChecks: readonly Check[] = [
  check('interface', 'trailing value is in USD: contracts at the prices of the last days', async (context) => {
    const id = await busiestProduct(context);
    const { contract_size: size } = await specOf(context, id);
    const { volume, notionalVolume } = await context.read('trailingStats', { path: { product_id: id } });
    const days = oldestFirst(await context.read('chartPrice', { path: { id } })).slice(-3);
    const mean = Number(need(notionalVolume, `trailing value of ${id}`)) / (Number(volume) * size);
    const [low, high] = [Math.min(...days.map(({ ohlc }) => Number(ohlc.low))), Math.max(...days.map(({ ohlc }) => Number(ohlc.high)))];
    expectNear(mean, low, high, `the mean price of ${id}`);
  }),
  check('interface', 'the value of open interest is in cents: contracts at the settlement', async (context) => {
    const id = await busiestProduct(context);
    const { contract_size: size } = await specOf(context, id);
    const settlements = new Map((await context.read('chartPrice', { path: { id } })).map((row) => [row.date, Number(row.settlementPrice)]));
    const rows = await context.read('chartVoi', { query: [['product_id', id]] });
    const compared = rows.flatMap(({ date, openInterest, notionalOpenInterest }) => {
      const settlement = settlements.get(date);
      if (settlement === undefined || notionalOpenInterest === null || Number(openInterest ?? 0) === 0) return [];
      expectNear(Number(notionalOpenInterest) / 100 / (Number(openInterest) * size), settlement, settlement, `a contract’s value on ${date}`);
      return [date];
    });
    need(compared[0], `open interest of ${id}`);
    return `${String(compared.length)} days`;
  }),
  check('interface', 'settlements are near the last trades of their days', async (context) => {
    const days = await context.read('chartPrice', {
      path: { id: await busiestProduct(context) },
      query: asQuery({ begin_time: daysAgo(context, 90) }),
    });
    const moves = days.map(({ ohlc, settlementPrice }) => Math.abs(Number(settlementPrice) / Number(ohlc.close) - 1));
    const usual = need(median(moves), 'settled day');
    expectThat(usual < LARGEST_LAST_MOVE, `on half of the days the settlement is ${String(usual)} from the last trade, or further`);
  }),
  check('venue facts', 'order prices are in ticks, as marks are', (context) =>
    expectNearMark(context, ({ price }) => Number(price)),
  ),
  check('venue facts', 'mean prices of orders are in ticks, as marks are', (context) =>
    expectNearMark(context, ({ avg_price }) => (avg_price === null ? null : Number(avg_price))),
  ),
  check('venue facts', 'the index of a perpetual is in ticks, as its mark is', async (context) => {
    for (const { id, latest } of await perpetuals(context)) {
      const ratio = Number(latest.price_index) / Number(latest.mark_price);
      expectThat(Math.abs(ratio - 1) < LARGEST_BASIS, `the index of ${id} is ${String(ratio)} times its mark`);
    }
  }),
];
