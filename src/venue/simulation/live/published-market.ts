import type { Micros, Order, PremiumSample, Product, Trade } from '../../core/model.ts';
import { scheduleOf, sessionAt } from '../../market/calendar.ts';
import { addSample, estimateRate, type FundingProgress, fundingWindowAt, NO_SAMPLES } from '../../market/funding.ts';
import { createWorkingSet } from '../../market/working-orders.ts';
import type { Changes, Exchange, Today } from '../../core/ports.ts';
import { addTrade, type SessionSummary } from '../session-figures.ts';

const WINDOW = 86_400_000_000;
/** Expired trades are removed from the list in batches of this size. */
const BATCH = 512;

interface Totals {
  readonly volume: number;
  readonly cents: number;
}

/** The totals of a product over the last 24 hours. */
interface TrailingWindow {
  readonly add: (trade: Trade) => void;
  /** Returns the totals at an instant; null if nothing traded. Instants must not decrease. */
  readonly at: (now: Micros) => Totals | null;
}

/** @internal Exported for its test. */
export function createTrailingWindow(): TrailingWindow {
  const trades: Trade[] = [];
  let first = 0;
  let volume = 0;
  let cents = 0;

  const count = (trade: Trade, sign: 1 | -1): void => {
    volume += sign * trade.quantity;
    cents += sign * trade.cents;
  };
  const dropExpired = (before: Micros): void => {
    for (let trade = trades[first]; trade !== undefined && trade.time <= before; trade = trades[first]) {
      count(trade, -1);
      first += 1;
    }
    if (first < BATCH) return;
    trades.splice(0, first);
    first = 0;
  };
  return {
    add: (trade) => {
      trades.push(trade);
      count(trade, 1);
    },
    at: (now) => {
      dropExpired(now - WINDOW);
      return first === trades.length ? null : { volume, cents };
    },
  };
}

type PublishedFields = Pick<Exchange, 'estimate' | 'workingOrders' | 'trailing' | 'today'>;

/** The market as the HTTP interface shows it. It contains only what is on disk. */
export interface PublishedMarket extends PublishedFields {
  /** Publishes the changes up to an instant, once they are on disk. */
  readonly publish: (changes: Changes, instant: Micros) => void;
  /** Updates the persisted state of orders, once their changes are projected. */
  readonly persist: (orders: readonly Order[]) => void;
}

interface ProductState {
  readonly trailing: TrailingWindow;
  lastTrade: Today['lastTrade'];
  summary: SessionSummary | null;
  /** When the session that `summary` belongs to settles. */
  settle: Micros;
  interval: Micros;
  funding: FundingProgress;
}

export function createPublishedMarket(products: ReadonlyMap<number, Product>): PublishedMarket {
  const working = createWorkingSet(products);
  // This is not the time of the clock, which continues while the market is frozen.
  let reached: Micros = 0;
  const states = new Map<number, ProductState>();
  const stateOf = (productId: number): ProductState => {
    const state = states.get(productId) ?? newProductState();
    states.set(productId, state);
    return state;
  };

  const addTradeToState = (trade: Trade): void => {
    const product = products.get(trade.productId);
    if (product === undefined) return;
    const state = stateOf(trade.productId);
    if (trade.time >= state.settle) {
      state.settle = sessionAt(scheduleOf(product.kind), trade.time).settle;
      state.summary = null;
    }
    state.summary = addTrade(state.summary, trade);
    state.lastTrade = { time: trade.time, price: trade.price };
    state.trailing.add(trade);
  };

  return {
    publish: ({ orders = [], trades = [], samples = [] }, instant) => {
      reached = instant;
      for (const trade of trades) addTradeToState(trade);
      for (const sample of samples) addSampleTo(stateOf(sample.productId), sample);
      working.follow(orders);
    },
    persist: working.persist,
    workingOrders: working.texts,
    trailing: (productId) => states.get(productId)?.trailing.at(reached) ?? null,
    today: (productId) => todayOf(states.get(productId), reached),
    estimate: (productId) => estimateOf(products.get(productId), states.get(productId), reached),
  };
}

function newProductState(): ProductState {
  return {
    trailing: createTrailingWindow(),
    lastTrade: null,
    summary: null,
    settle: 0,
    interval: 0,
    funding: NO_SAMPLES,
  };
}

function addSampleTo(state: ProductState, { intervalStart, i, premium }: PremiumSample): void {
  if (state.interval !== intervalStart) {
    state.interval = intervalStart;
    state.funding = NO_SAMPLES;
  }
  state.funding = addSample(state.funding, i, premium);
}

function todayOf(state: ProductState | undefined, now: Micros): Today {
  const summary = state !== undefined && now < state.settle ? state.summary : null;
  return {
    lastTrade: state?.lastTrade ?? null,
    ohlc: summary?.ohlc ?? null,
    volume: summary?.volume ?? null,
    cents: summary?.cents ?? null,
  };
}

/**
 * Returns the predicted rate. A perpetual has a current interval as soon as it is listed, although its first settled
 * rate is that of its first whole interval.
 */
function estimateOf(
  product: Product | undefined,
  state: ProductState | undefined,
  now: Micros,
): ReturnType<Exchange['estimate']> {
  if (product?.kind !== 'perpetual' || product.listedAt > now) return null;
  const window = fundingWindowAt(now);
  const progress = state?.interval === window.start ? state.funding : NO_SAMPLES;
  return { ...window, rate: estimateRate(progress) };
}
