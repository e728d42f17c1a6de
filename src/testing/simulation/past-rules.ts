import { scheduleOf, sessionAt, sessionOn } from '#venue/market/calendar.ts';
import { toNotionalCents } from '#venue/market/money.ts';
import { type FundingInterval, type Micros, type Product, requireProduct, type Session } from '#venue/core/model.ts';
import type { Exchange } from '#venue/core/ports.ts';
import type { Prices } from '#venue/simulation/prices.ts';
import { halfSpread } from '#venue/simulation/products/activity.ts';

/** The past of an exchange, and the fair prices that it was generated from. */
export interface Past {
  readonly products: ReadonlyMap<number, Product>;
  readonly prices: Prices;
  readonly sessions: readonly Session[];
  readonly funding: readonly FundingInterval[];
}

/** How many cases a rule was applied to, and those that broke it. */
export interface Verdict {
  readonly looked: number;
  readonly broken: readonly string[];
}

type PriceRange = Pick<NonNullable<Session['ohlc']>, 'low' | 'high'>;
type Turnover = NonNullable<ReturnType<Exchange['trailing']>>;

interface TradedSession extends Session {
  readonly product: Product;
  readonly ohlc: NonNullable<Session['ohlc']>;
}

const HOUR: Micros = 3_600_000_000;
/** How far a trade may be from the fair price: takers walk through quotes that are seconds old. */
const LARGEST_DISTANCE = { ticks: 4, halfSpreads: 4, share: 0.02 };
/** The rounding error of a trade, in cents. No trade is smaller than a contract. */
const ROUNDING_CENTS = 0.5;

function tradedSessions({ sessions, products }: Past): TradedSession[] {
  return sessions.flatMap((session) => {
    const { ohlc } = session;
    return ohlc === null ? [] : [{ ...session, ohlc, product: requireProduct(products, session.productId) }];
  });
}

function judge<Row>(rows: readonly Row[], holds: (row: Row) => boolean, name: (row: Row) => string): Verdict {
  return { looked: rows.length, broken: rows.filter((row) => !holds(row)).map(name) };
}

function nameSession({ product, date, ohlc, settlement }: TradedSession): string {
  return `${product.symbol} ${date}: ${JSON.stringify(ohlc)}, settlement ${settlement}`;
}

const isWithin = (price: number, { low, high }: PriceRange): boolean => low <= price && price <= high;

function judgeSettlements(past: Past): Verdict {
  return judge(tradedSessions(past), ({ ohlc, settlement }) => isWithin(settlement, ohlc), nameSession);
}

function judgeCandles(past: Past): Verdict {
  return judge(
    tradedSessions(past),
    ({ ohlc }) => isWithin(ohlc.open, ohlc) && isWithin(ohlc.close, ohlc),
    nameSession,
  );
}

/** Judges the marks of sessions that have settled. */
function judgeMarks(past: Past): Verdict {
  const sessions = new Map(
    tradedSessions(past).map((session) => [`${session.productId} ${session.settledAt}`, session]),
  );
  const marks = past.funding.flatMap(({ productId, end, mark }) => {
    const session = sessions.get(`${productId} ${sessionAt('daily', end).settle}`);
    return session === undefined ? [] : [{ mark, session }];
  });
  return judge(
    marks,
    ({ mark, session }) => isWithin(mark, session.ohlc),
    ({ mark, session }) => `mark ${mark} of ${nameSession(session)}`,
  );
}

/**
 * Whether the mean price of a turnover is within these prices. Values have no sign, so those of a spread are compared
 * without theirs.
 */
export function isMeanWithin(
  { tickE10, contractSize }: Product,
  { low, high }: PriceRange,
  { volume, cents }: Turnover,
): boolean {
  const sizes = [Math.abs(low), Math.abs(high)];
  const least = low < 0 && high > 0 ? 0 : Math.min(...sizes);
  const valueOf = (price: number): number => (price * Number(tickE10) * contractSize) / 1e8;
  return (
    cents / volume >= valueOf(least) - ROUNDING_CENTS && cents / volume <= valueOf(Math.max(...sizes)) + ROUNDING_CENTS
  );
}

function judgeMeanPrices(past: Past): Verdict {
  const holds = ({ product, ohlc, volume, cents }: TradedSession): boolean =>
    isMeanWithin(product, ohlc, { volume: volume ?? Number.NaN, cents: cents ?? Number.NaN });
  return judge(tradedSessions(past), holds, nameSession);
}

function judgeOpenInterest({ sessions, products }: Past): Verdict {
  const published = sessions.filter(({ openInterest }) => openInterest !== null);
  return judge(
    published,
    ({ productId, settlement, openInterest, openInterestCents }) =>
      toNotionalCents(requireProduct(products, productId), settlement, openInterest ?? 0) === openInterestCents,
    ({ productId, date }) => `${productId} ${date}`,
  );
}

/**
 * Checks that no trade is far from the fair prices since the previous close: orders of the evening may still trade in
 * the morning.
 */
function judgeDistances(past: Past): Verdict {
  const closes = new Map<number, Micros>();
  const holds = ({ product, productId, settledAt, date, ohlc }: TradedSession): boolean => {
    const { open } = sessionOn(scheduleOf(product.kind), date) ?? { open: settledAt };
    const from = Math.max(product.listedAt, Math.min(open, closes.get(productId) ?? open));
    closes.set(productId, settledAt);
    let [low, high] = [Infinity, -Infinity];
    for (let time = from; time <= settledAt; time += HOUR) {
      const fair = past.prices.fair(product, time);
      low = Math.min(low, fair);
      high = Math.max(high, fair);
    }
    return ohlc.low >= low - farthest(product, low) && ohlc.high <= high + farthest(product, high);
  };
  return judge(tradedSessions(past), holds, nameSession);
}

function farthest(product: Product, fair: number): number {
  const { ticks, halfSpreads, share } = LARGEST_DISTANCE;
  return ticks + halfSpreads * halfSpread(product, fair) + share * Math.abs(fair);
}

export const PAST_RULES: Readonly<Record<string, (past: Past) => Verdict>> = {
  'settlement prices are between the low and the high of their session': judgeSettlements,
  'funding marks are between the low and the high of their session': judgeMarks,
  'open and close are between low and high': judgeCandles,
  'the mean price of a session is between its low and its high': judgeMeanPrices,
  'open interest is valued at the settlement price': judgeOpenInterest,
  'no trade is far from the fair price': judgeDistances,
};
