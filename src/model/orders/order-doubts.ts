import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { joinRanges, type Range, scaleRange, toOpenInterestPrice, toSessionPrice } from '../checks/price-evidence.ts';
import { formatDay } from '../format/format-time.ts';
import { formatNumber } from '../format/number.ts';
import { Decimal } from '../units/decimal.ts';
import type { Sourced } from '../response.ts';
import { addDays, dateOf, sessionOf, type SessionRules, toMillis } from '../time/session.ts';
import { groupByProduct } from '../voi/voi-rows.ts';

/** Why a part of an order cannot be right, so that nothing is computed from it. */
export interface OrderDoubt {
  readonly of: 'Product' | 'Price' | 'Avg price' | 'Quantity' | 'Status';
  readonly reason: string;
}

/** The terms of the order’s product. */
interface ProductTerms {
  readonly product: DeskProduct | null;
  readonly usdPerTick: { readonly times: number; readonly per: number } | null;
  readonly contractSize: Decimal | null;
}

export type DoubtOf = (order: Order, terms: ProductTerms) => OrderDoubt | null;

/**
 * Limits beyond which an order is impossible rather than unusual. The exchange’s own limits are not applied: they may
 * have changed since it accepted the order.
 */
const LIMITS = {
  /** A bid this many times above the market, or an ask below it, would have been filled, even in a violent session. */
  through: 3,
  /** The same, where the last trade was certainly later than the order and its last change. */
  crossed: 1.1,
  /** The last change of an order may lag behind. */
  changeLagMs: 60_000,
  /** Asks may rest at many times the price, but those in cents, or in ticks of another product, rest far beyond. */
  away: 20,
  /** Published maxima may have been lowered since, but hardly to a tenth. */
  quantity: 10,
  /** The price of single fills beyond the known daily mean prices. */
  fill: 2,
  /** A session may end after its settlement, and the settlement may be published again. */
  settledMs: 12 * 3_600_000,
} as const;

/** Prices of these types are those of the product itself: those of options and spreads have no such limits. */
const OUTRIGHT: ReadonlySet<string | undefined> = new Set(['future', 'perpetual']);

/**
 * Creates a function that returns why an order cannot be right, or null. `areLive`: the orders still rest, so that the
 * last trade may be compared with them.
 */
export function createOrderDoubts(
  data: Sourced<readonly ProductData[]> | undefined,
  voi: Sourced<readonly VOIDataPoint[]> | undefined,
  areLive = false,
): DoubtOf {
  const rows = new Map(data?.value.map((row) => [toNumber(row.product_id), row]));
  const days = new Map(
    [...groupByProduct(voi?.value ?? [])].map(([id, ofProduct]) => [id, createRangeSince(ofProduct)]),
  );
  return (order, terms) => {
    const id = toNumber(order.product_id);
    const row = rows.get(id);
    const market = row !== undefined && OUTRIGHT.has(terms.product?.type) ? toMarketRange(row) : null;
    return (
      findQuantityDoubt(order, terms.product) ??
      findStatusDoubt(order, terms.product, row, data?.respondedAt ?? null) ??
      (market &&
        (findPriceDoubt(order, market, areLive && row !== undefined ? toLaterTrade(order, row) : null) ??
          findFillDoubt(order, market, terms, days.get(id))))
    );
  };
}

/** Returns the prices of the latest session, in ticks. */
function toMarketRange(row: ProductData): Range | null {
  const prices = [row.last_price, row.settlement_price, row.low_price, row.high_price]
    .filter((price) => price !== null)
    .map((price) => toNumber(price))
    .filter((price) => price > 0);
  return joinRanges(prices.map((price) => ({ low: price, high: price })));
}

function findQuantityDoubt({ quantity_requested: requested }: Order, product: DeskProduct | null): OrderDoubt | null {
  const most = product?.max_order_quantity;
  if (requested === null || most === undefined || toNumber(most) <= 0) return null;
  if (toNumber(requested) <= toNumber(most) * LIMITS.quantity) return null;
  return {
    of: 'Quantity',
    reason:
      `The order is for ${write(toNumber(requested))} contracts, but the exchange accepts at most ` +
      `${write(toNumber(most))}, so its quantity is in no sum.`,
  };
}

function findPriceDoubt({ status, side, price }: Order, market: Range, later: number | null): OrderDoubt | null {
  if (status !== 'Working') return null;
  const ticks = toNumber(price);
  const why = describePriceDoubt(side, ticks, market) ?? describeCrossing(side, ticks, later);
  return why === null
    ? null
    : {
        of: 'Price',
        reason:
          `The ${side.toLowerCase()} is at ${write(ticks)} ticks, but trades and settlements are at ` +
          `${describe(market)}${why}. So nothing is computed from its price.`,
      };
}

/** Returns the price of the last trade if it was after the last change of an order. */
function toLaterTrade(
  { time, last_modified: changedAt }: Pick<Order, 'time' | 'last_modified'>,
  { last_price: last, last_price_time: tradedAt }: ProductData,
): number | null {
  if (last === null || tradedAt === null || toNumber(last) <= 0) return null;
  return toMillis(tradedAt) - toMillis(changedAt ?? time) > LIMITS.changeLagMs ? toNumber(last) : null;
}

function describePriceDoubt(side: Order['side'], ticks: number, { low, high }: Range): string | null {
  if (ticks <= 0) return '';
  if (side === 'Bid' && ticks > high * LIMITS.through) return FILLED;
  if (side === 'Ask' && ticks < low / LIMITS.through) return FILLED;
  return ticks > high * LIMITS.away ? '' : null;
}

/** A trade beyond the price of an order that rests would have filled the order first. */
function describeCrossing(side: Order['side'], ticks: number, later: number | null): string | null {
  if (later === null) return null;
  const isCrossed = side === 'Bid' ? ticks > later * LIMITS.crossed : side === 'Ask' && ticks < later / LIMITS.crossed;
  return isCrossed ? `, and later than it at ${write(later)}${FILLED}` : null;
}

const FILLED = ': it would have been filled';

/** Numbers this large are nonsense, and some have hundreds of digits. */
const LONG = 1e15;

function write(value: number): string {
  if (Math.abs(value) >= LONG) return value.toExponential();
  return formatNumber(new Decimal(value).toDecimalPlaces(2));
}

function describe({ low, high }: Range): string {
  return `${write(low)} to ${write(high)} ticks`;
}

/** Returns the prices in dollars from a day on; undefined if days are unknown, null if they have no price. */
type RangeSince = (since: Day, size: number) => Range | null | undefined;

/** Joins the days of a product once, from the newest back, since thousands of orders may need them. */
function createRangeSince(days: readonly VOIDataPoint[]): RangeSince {
  let known: { readonly size: number; readonly ranges: readonly (Range | null)[] } | null = null;
  return (since, size) => {
    const [first] = days;
    if (first === undefined || first.date > since) return undefined;
    if (known?.size !== size) known = { size, ranges: joinBackwards(days, size) };
    return known.ranges[findPlace(days, since)] ?? null;
  };
}

function joinBackwards(days: readonly VOIDataPoint[], size: number): readonly (Range | null)[] {
  let joined: Range | null = null;
  const ranges = days.toReversed().map((day) => {
    const ofDay = [toSessionPrice, toOpenInterestPrice].map((read) => read(day, { size, mayBeNegative: false }));
    joined = joinRanges([joined, ...ofDay].filter((range) => range !== null).filter(({ low }) => low > 0));
    return joined;
  });
  return ranges.reverse();
}

/** Returns the place of the first day that is not before the given one. */
function findPlace(days: readonly VOIDataPoint[], since: Day): number {
  let [low, high] = [0, days.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((days[middle]?.date ?? since) < since) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Compares the average with the market since acceptance, if all days since then are known. */
function findFillDoubt(
  { time, avg_price: average }: Order,
  market: Range,
  { usdPerTick, contractSize }: ProductTerms,
  rangeSince: RangeSince | undefined,
): OrderDoubt | null {
  if (average === null || usdPerTick === null || contractSize === null) return null;
  const ofDays = rangeSince?.(addDays(dateOf(time), -1), contractSize.toNumber());
  if (ofDays === undefined) return null;
  const known = joinRanges([
    market,
    ...(ofDays === null ? [] : [scaleRange(ofDays, usdPerTick.per / usdPerTick.times)]),
  ]);
  const ticks = toNumber(average);
  if (known === null || (ticks >= known.low / LIMITS.fill && ticks <= known.high * LIMITS.fill)) return null;
  return {
    of: 'Avg price',
    reason:
      `The average price is ${write(ticks)} ticks, but prices since the order was accepted are ` +
      `${describe(known)}, so nothing is computed from it.`,
  };
}

function findStatusDoubt(
  order: Order,
  product: DeskProduct | null,
  row: ProductData | undefined,
  readAt: Instant | null,
): OrderDoubt | null {
  if (order.status !== 'Working') return null;
  const everyDay = product?.type === 'perpetual';
  const why =
    product?.product_status === 'expired'
      ? 'Its product has expired'
      : describeOverdue(order, { everyDay }, row?.settlement_time, readAt);
  return why === null ? null : { of: 'Status', reason: `${why}, so its quantity is in no sum.` };
}

/** A holiday only puts the end of the session off to the next settlement. */
function describeOverdue(
  { time_in_force: tif, time }: Order,
  rules: SessionRules,
  settledAt: Instant | null | undefined,
  readAt: Instant | null,
): string | null {
  const acceptedAt = toMillis(time);
  if (tif !== 'Day' || !settledAt || Number.isNaN(acceptedAt)) return null;
  const [session, settled] = [sessionOf(acceptedAt, rules), dateOf(settledAt)];
  const isOver = readAt !== null && toMillis(readAt) - toMillis(settledAt) > LIMITS.settledMs;
  if (settled < session || (settled === session && !isOver)) return null;
  return `It is a Day order of the session of ${formatDay(session)}, which is over`;
}
