import { scheduleOf, sessionAt } from '../../market/calendar.ts';
import { addSample, estimateRate, fundingWindowAt, NO_SAMPLES, type FundingProgress } from '../../market/funding.ts';
import { createWorkingSet } from '../../market/working-set.ts';
import type { Micros, Order, PremiumSample, Product, Trade } from '../../model.ts';
import type { Changes, Exchange, Today } from '../../ports.ts';
import { addTrade, type SessionSummary } from '../session-summary.ts';
import { createTrailingWindow, type TrailingWindow } from './trailing-window.ts';

type PublishedFields = Pick<Exchange, 'estimate' | 'workingOrders' | 'trailing' | 'today'>;

/** What everybody may see of the market: only what is on disk. */
export interface PublishedMarket extends PublishedFields {
  /** Told when the changes up to an instant are on disk: what is seen is the market at that instant. */
  readonly publish: (changes: Changes, instant: Micros) => void;
  /** Told when order changes were projected. */
  readonly persist: (orders: readonly Order[]) => void;
}

interface ProductState {
  readonly trailing: TrailingWindow;
  lastTrade: Today['lastTrade'];
  summary: SessionSummary | null;
  /** When the session that the tally is of settles. */
  settle: Micros;
  interval: Micros;
  funding: FundingProgress;
}

export function createPublishedMarket(products: ReadonlyMap<number, Product>): PublishedMarket {
  const working = createWorkingSet(products);
  // Not the clock's instant: the clock goes on where the market stands still, and figures as of then would be made up.
  let reached: Micros = 0;
  const boards = new Map<number, ProductState>();
  const boardOf = (productId: number): ProductState => {
    const board = boards.get(productId) ?? newBoard();
    boards.set(productId, board);
    return board;
  };

  const addToBoard = (trade: Trade): void => {
    const product = products.get(trade.productId);
    if (product === undefined) return;
    const board = boardOf(trade.productId);
    if (trade.time >= board.settle) {
      board.settle = sessionAt(scheduleOf(product.kind), trade.time).settle;
      board.summary = null;
    }
    board.summary = addTrade(board.summary, trade);
    board.lastTrade = { time: trade.time, price: trade.price };
    board.trailing.add(trade);
  };

  return {
    publish: ({ orders = [], trades = [], samples = [] }, instant) => {
      reached = instant;
      for (const trade of trades) addToBoard(trade);
      for (const sample of samples) addSampleTo(boardOf(sample.productId), sample);
      working.follow(orders);
    },
    persist: working.persist,
    workingOrders: working.texts,
    trailing: (productId) => boards.get(productId)?.trailing.at(reached) ?? null,
    today: (productId) => todayOf(boards.get(productId), reached),
    estimate: (productId) => estimateOf(products.get(productId), boards.get(productId), reached),
  };
}

function newBoard(): ProductState {
  return {
    trailing: createTrailingWindow(),
    lastTrade: null,
    summary: null,
    settle: 0,
    interval: 0,
    funding: NO_SAMPLES,
  };
}

function addSampleTo(board: ProductState, { intervalStart, i, premium }: PremiumSample): void {
  if (board.interval !== intervalStart) {
    board.interval = intervalStart;
    board.funding = NO_SAMPLES;
  }
  board.funding = addSample(board.funding, i, premium);
}

function todayOf(board: ProductState | undefined, now: Micros): Today {
  const summary = board !== undefined && now < board.settle ? board.summary : null;
  return {
    lastTrade: board?.lastTrade ?? null,
    ohlc: summary?.ohlc ?? null,
    volume: summary?.volume ?? null,
    cents: summary?.cents ?? null,
  };
}

/** A perpetual has an interval in progress once it trades; the first one that it gets a rate for is a whole one. */
function estimateOf(
  product: Product | undefined,
  board: ProductState | undefined,
  now: Micros,
): ReturnType<Exchange['estimate']> {
  if (product?.kind !== 'perpetual' || product.listedAt > now) return null;
  const window = fundingWindowAt(now);
  const progress = board?.interval === window.start ? board.funding : NO_SAMPLES;
  return { ...window, rate: estimateRate(progress) };
}
