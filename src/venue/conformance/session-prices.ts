import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import { areaOf, asQuery, type Check, type Context, DAY_MS, expectThat, need, toScaled } from './check.ts';
import {
  busiestProduct,
  daysAgo,
  oldestFirst,
  PAGE,
  perpetuals,
  publishedScale,
  specOf,
  type Perpetual,
} from './samples.ts';

/** These checks compare the prices that an exchange publishes for one session. */
const check = areaOf('session prices');

/** The relative rounding error of sums of binary fractions. */
const ROUNDING = 1e-9;
/** No session of a perpetual has moved by a larger factor from the settlements around it. */
const LARGEST_MOVE = 1.5;
/** A session is longest when clocks go back. */
const LONGEST_SESSION_MS = 25 * 3_600_000;
/** The clocks behind two requests differ by less than this. */
const CLOCK_MS = 5_000;
/** One cent at the scale of a product of two scaled decimals. */
const CENT_E36 = 10n ** 34n;

interface Prices {
  readonly low: number;
  readonly high: number;
}

function pricesOf(days: readonly PriceDataPoint[]): Prices {
  return {
    low: Math.min(...days.map(({ ohlc }) => Number(ohlc.low))),
    high: Math.max(...days.map(({ ohlc }) => Number(ohlc.high))),
  };
}

function expectWithin(price: number, { low, high }: Prices, what: string): void {
  expectThat(
    price >= low * (1 - ROUNDING) && price <= high * (1 + ROUNDING),
    `${what}, ${String(price)}, is outside ${String(low)} to ${String(high)}`,
  );
}

/** Returns the settled sessions of a perpetual in the last 30 days. */
async function sessionsOf(context: Context, { id }: Perpetual): Promise<readonly PriceDataPoint[]> {
  return oldestFirst(await context.read('chartPrice', { path: { id } }));
}

/**
 * Visits each settled session of each perpetual, together with the previous session. Returns their number as a remark.
 */
async function forEachSession(
  context: Context,
  visit: (session: PriceDataPoint, before: PriceDataPoint | undefined, perpetual: Perpetual) => void,
): Promise<string> {
  let count = 0;
  for (const perpetual of await perpetuals(context)) {
    const sessions = await sessionsOf(context, perpetual);
    for (const [at, session] of sessions.entries()) visit(session, sessions[at - 1], perpetual);
    count += sessions.length;
  }
  need(count || null, 'settled session of a perpetual');
  return `${String(count)} sessions`;
}

async function usdPerTick(context: Context, perpetual: Perpetual): Promise<number> {
  const { price_increment } = await specOf(context, perpetual.id);
  return (
    Number(price_increment) / need(await publishedScale(context, perpetual), `settlement of ${perpetual.id}`).scale
  );
}

export const sessionPriceChecks: readonly Check[] = [
  check('decision', 'a settlement price is between the low and the high of its session', (context) =>
    forEachSession(context, (session, _, { id }) => {
      expectWithin(
        Number(session.settlementPrice),
        pricesOf([session]),
        `the settlement price of ${id} on ${session.date}`,
      );
    }),
  ),
  check('decision', 'a funding mark, in USD, is between the low and the high of its session', async (context) => {
    let compared = 0;
    for (const perpetual of await perpetuals(context)) {
      const { id } = perpetual;
      const usd = await usdPerTick(context, perpetual);
      const sessions = await sessionsOf(context, perpetual);
      const query = asQuery({ product_id: id, begin_time: daysAgo(context, 20), limit: PAGE });
      for (const { mark_price, interval_end } of (await context.read('fundingRates', { query })).data) {
        const session = sessions.find(({ time }) => Date.parse(time) > Date.parse(interval_end));
        if (session === undefined || Date.parse(session.time) - Date.parse(interval_end) > LONGEST_SESSION_MS) continue;
        expectWithin(Number(mark_price) * usd, pricesOf([session]), `the mark of ${id} at ${interval_end}`);
        compared++;
      }
    }
    need(compared || null, 'mark within a settled session');
    return `${String(compared)} marks`;
  }),
  check('decision', 'no price of a session is far from the settlement prices around it', (context) =>
    forEachSession(context, (session, before, { id }) => {
      const settlements = [session, before ?? session].map(({ settlementPrice }) => Number(settlementPrice));
      const { low, high } = pricesOf([session]);
      const around = { low: Math.min(...settlements) / LARGEST_MOVE, high: Math.max(...settlements) * LARGEST_MOVE };
      expectWithin(low, around, `the low of ${id} on ${session.date}`);
      expectWithin(high, around, `the high of ${id} on ${session.date}`);
    }),
  ),
  check(
    'decision',
    'the mean price of the last 24 hours is between the lows and the highs of their sessions',
    async (context) => {
      const id = await busiestProduct(context);
      const { contract_size: size } = await specOf(context, id);
      const usd = await usdPerTick(
        context,
        need(
          (await perpetuals(context)).find((one) => one.id === id),
          `perpetual ${id}`,
        ),
      );
      // Requested in this order, a session that settles in between is among the settled ones.
      const { volume, notionalVolume } = await context.readAgain('trailingStats', { path: { product_id: id } });
      const today = await context.readAgain('productData', { path: { id } });
      const settled = await context.readAgain('chartPrice', { path: { id } });
      const touched = pricesOf(
        settled.filter(({ time }) => Date.parse(time) > context.probe.now() - DAY_MS - CLOCK_MS),
      );
      const contracts = Number(need(volume, `trade of ${id}`)) * size;
      const low = Math.min(touched.low, Number(today.low_price ?? Infinity) * usd);
      const high = Math.max(touched.high, Number(today.high_price ?? -Infinity) * usd);
      // The value is rounded to whole USD.
      expectWithin(
        Number(notionalVolume) / contracts,
        { low: low - 1 / contracts, high: high + 1 / contracts },
        `the mean price of ${id}`,
      );
      return undefined;
    },
  ),
  check('decision', 'notional open interest is the settlement price of all contracts, to a cent', async (context) => {
    const rows = new Map((await context.read('chartVoi')).map((row) => [`${String(row.productId)} ${row.date}`, row]));
    const sizes = new Map(
      (await context.read('productSpecs')).map((spec) => [String(spec.product_id), String(spec.contract_size)]),
    );
    return forEachSession(context, ({ date, settlementPrice }, _, { id }) => {
      const row = rows.get(`${id} ${date}`);
      if (row === undefined || row.openInterest === null) return;
      const exact = toScaled(settlementPrice ?? '') * toScaled(sizes.get(id) ?? '') * BigInt(Number(row.openInterest));
      const published = BigInt(Number(row.notionalOpenInterest)) * CENT_E36;
      const distance = published > exact ? published - exact : exact - published;
      expectThat(
        distance <= CENT_E36,
        `the open interest of ${id} on ${date} is valued at ${String(row.notionalOpenInterest)} cents`,
      );
    });
  }),
];
