import type { PriceDataPoint, VOIDataPoint } from '#contract/exchange/market-data.ts';
import {
  areaOf,
  asQuery,
  type Check,
  type Context,
  DAY_MS,
  expectEach,
  expectSame,
  expectSorted,
  expectThat,
  need,
  toScaled,
} from './check.ts';
import { busiestProduct, closedVolume, daysAgo, siblings, summands } from './samples.ts';

const check = areaOf('charts');
/** The default range is "typically the past 30 days"; the extra day is a tolerance, as days may begin at any hour. */
const DEFAULT_DAYS = 31;

const byDate = (a: { date: string }, b: { date: string }) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0);

async function candles(
  context: Context,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly PriceDataPoint[]> {
  return context.read('chartPrice', { path: { id: await busiestProduct(context) }, query: asQuery(query) });
}

export const priceChecks: readonly Check[] = [
  check('interface', 'prices: one row per trading day', async (context) => {
    const dates = (await candles(context)).map(({ date }) => date);
    expectSame(new Set(dates).size, dates.length, 'number of distinct days, of rows');
  }),
  check('decision', 'prices: oldest day first', async (context) => {
    expectSorted(await candles(context), 'oldest first', byDate);
  }),
  check('interface', 'prices: without a range, the last 30 days', async (context) => {
    const oldest = context.probe.now() - DEFAULT_DAYS * DAY_MS;
    const rows = await candles(context);
    expectEach(rows, 'within the default range', ({ time }) => Date.parse(time) >= oldest);
    const longer = await candles(context, { begin_time: daysAgo(context, 90) });
    const wanted = longer.filter(({ time }) => Date.parse(time) >= oldest + 2 * DAY_MS);
    expectThat(
      rows.length >= wanted.length,
      `${String(rows.length)} rows, but the last 29 days have ${String(wanted.length)}`,
    );
  }),
  check('interface', 'prices: open and close are between low and high', async (context) => {
    expectEach(
      await candles(context, { begin_time: daysAgo(context, 90) }),
      'low <= open, close <= high',
      ({ ohlc }) => {
        const [open, high, low, close] = [ohlc.open, ohlc.high, ohlc.low, ohlc.close].map((price) =>
          toScaled(price ?? ''),
        ) as [bigint, bigint, bigint, bigint];
        return low <= open && low <= close && open <= high && close <= high;
      },
    );
  }),
  check('interface', 'prices: all have the same number of decimal places', async (context) => {
    const prices = (await candles(context)).flatMap(({ ohlc, settlementPrice }) => [
      ohlc.open,
      ohlc.high,
      ohlc.low,
      ohlc.close,
      settlementPrice,
    ]);
    const digits = new Set(prices.map((price) => price?.split('.')[1]?.length ?? 0));
    expectThat(digits.size === 1, `prices have ${[...digits].join(' and ')} decimal places`);
    return `${[...digits].join()} decimal places`;
  }),
  check('interface', 'prices: days are within the requested range', async (context) => {
    const [begin_time, end_time] = [daysAgo(context, 20), daysAgo(context, 5)];
    const rows = await candles(context, { begin_time, end_time });
    expectThat(rows.length > 0, 'no row within fifteen days');
    expectEach(
      rows,
      'within the range',
      ({ time }) => Date.parse(time) >= Date.parse(begin_time) && Date.parse(time) <= Date.parse(end_time),
    );
  }),
  check('decision', 'prices: begin_time is inclusive, end_time is exclusive', async (context) => {
    const rows = await candles(context, { begin_time: daysAgo(context, 20) });
    const [first, last] = [need(rows.at(2), 'third day'), need(rows.at(-3), 'third day from the end')];
    const part = await candles(context, { begin_time: first.time, end_time: last.time });
    expectSame(part, rows.slice(2, -3), 'days from the third to before the third from the end');
  }),
  check('interface', 'prices: end_time=now equals no end_time', async (context) => {
    const begin = { begin_time: daysAgo(context, 20) };
    expectSame(await candles(context, { ...begin, end_time: 'now' }), await candles(context, begin), 'rows');
  }),
];

const key = (row: VOIDataPoint) => `${row.date} ${String(row.productId)}`;
const AMOUNTS = ['volume', 'notionalVolume', 'openInterest', 'notionalOpenInterest'] as const;

/** Adds up the known values. Null only if every value is null: one unknown value must not hide the others. */
function sum(values: readonly (object | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + Number(value), 0);
}

interface Aggregate {
  readonly total: readonly VOIDataPoint[];
  /** The rows of the individual products, by day. */
  readonly parts: ReadonlyMap<string, readonly VOIDataPoint[]>;
}

async function aggregate(context: Context, ids: readonly string[]): Promise<Aggregate> {
  const total = await closedVolume(context, ids);
  const alone = await Promise.all(ids.map((id) => closedVolume(context, [id])));
  return { total, parts: Map.groupBy(alone.flat(), ({ date }) => date) };
}

export const volumeChecks: readonly Check[] = [
  check('interface', 'volume: each product has at most one row per day', async (context) => {
    const keys = (await context.read('chartVoi')).map(key);
    expectSame(new Set(keys).size, keys.length, 'number of distinct days and products, of rows');
  }),
  check('interface', 'volume: one product_id returns only that product', async (context) => {
    const id = await busiestProduct(context);
    const rows = await context.read('chartVoi', { query: [['product_id', id]] });
    expectThat(rows.length > 0, 'no rows');
    expectEach(rows, `product ${id}`, ({ productId }) => String(productId) === id);
  }),
  check('decision', 'volume: without product_id, each product has its own rows', async (context) => {
    const id = await busiestProduct(context);
    const all = await context.read('chartVoi');
    const alone = await context.read('chartVoi', { query: [['product_id', id]] });
    expectSame(
      all.filter(({ productId }) => String(productId) === id),
      alone,
      'its rows among all and alone',
    );
  }),
  check('interface', 'volume: several product_id return their sum', async (context) => {
    const { total, parts } = await aggregate(context, await summands(context, 3));
    expectSame(total.map(({ date }) => date).sort(), [...parts.keys()].sort(), 'days');
    for (const row of total) {
      for (const amount of AMOUNTS) {
        const ofDay = parts.get(row.date)?.map((part) => part[amount]) ?? [];
        if (!ofDay.includes(null)) expectSame(row[amount], sum(ofDay), `${amount} of ${row.date}`);
      }
    }
    return `${String(total.length)} days`;
  }),
  check('decision', 'volume: a sum is null only where every part is null', async (context) => {
    const { total, parts } = await aggregate(context, await siblings(context, 3));
    for (const row of total) {
      for (const amount of AMOUNTS)
        expectSame(
          row[amount],
          sum(parts.get(row.date)?.map((part) => part[amount]) ?? []),
          `${amount} of ${row.date}`,
        );
    }
  }),
  check('decision', 'volume: a sum carries the id and base symbol of the first product_id', async (context) => {
    for (const ids of [await summands(context, 2), (await summands(context, 2)).toReversed()]) {
      const [id = ''] = ids;
      const [own] = await closedVolume(context, [id]);
      const name = [Number(id), need(own, `volume of ${id}`).baseSymbol];
      for (const row of await closedVolume(context, ids))
        expectSame([row.productId, row.baseSymbol], name, `name of ${row.date}`);
    }
  }),
  check('interface', 'volume: without a range, the last 30 days', async (context) => {
    const oldest = context.probe.now() - (DEFAULT_DAYS + 1) * DAY_MS;
    expectEach(await context.read('chartVoi'), 'within the default range', ({ date }) => Date.parse(date) >= oldest);
  }),
  check('interface', 'volume: days are within the requested range', async (context) => {
    const [begin_time, end_time] = [daysAgo(context, 20), daysAgo(context, 5)];
    const rows = await context.read('chartVoi', {
      query: asQuery({ product_id: await busiestProduct(context), begin_time, end_time }),
    });
    expectThat(rows.length > 0, 'no row within fifteen days');
    // Days may begin at any hour, so one day of tolerance is allowed on either side.
    expectEach(
      rows,
      'within the range',
      ({ date }) =>
        Date.parse(date) >= Date.parse(begin_time) - DAY_MS && Date.parse(date) <= Date.parse(end_time) + DAY_MS,
    );
  }),
  check('decision', 'volume: contracts and notional are both present or both null', async (context) => {
    const rows = await context.read('chartVoi');
    expectEach(rows, 'both or neither', (row) => (row.volume === null) === (row.notionalVolume === null));
    expectEach(rows, 'both or neither', (row) => (row.openInterest === null) === (row.notionalOpenInterest === null));
  }),
];
