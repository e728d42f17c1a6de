import { scheduleOf, sessionAt } from '../../market/calendar.ts';
import { addSample, estimateRate, fundingWindowAt, NO_SAMPLES, type FundingProgress } from '../../market/funding.ts';
import { createWorkingSet } from '../../market/working-set.ts';
import type { Micros, Order, PremiumSample, Product, Trade } from '../../core/model.ts';
import type { Changes, Exchange, Today } from '../../core/ports.ts';
import { addTrade, type SessionSummary } from '../session-summary.ts';
import { createTrailingWindow, type TrailingWindow } from './trailing-window.ts';

type PublishedFields = Pick<Exchange, 'estimate' | 'workingOrders' | 'trailing' | 'today'>;

/** What the HTTP interface shows of the market: only what is on disk. */
export interface PublishedMarket extends PublishedFields {
  /** Called when the changes up to an instant are on disk: the published market is the one at that instant. */
  readonly publish: (changes: Changes, instant: Micros) => void;
  /** Called when order changes were projected. */
  readonly persist: (orders: readonly Order[]) => void;
}

interface ProductState {
  readonly trailing: TrailingWindow;
  lastTrade: Today['lastTrade'];
  summary: SessionSummary | null;
  /** When the session of the summary settles. */
  settle: Micros;
  interval: Micros;
  funding: FundingProgress;
}

export function createPublishedMarket(products: ReadonlyMap<number, Product>): PublishedMarket {
  const working = createWorkingSet(products);
  // Not the clock's time, which goes on while the market is frozen.
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

/** A listed perpetual has a current interval, although its first rate is that of the first whole one. */
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
