import type { Account, Micros, Order, Product, Session, SessionDate, Trade } from '../../core/model.ts';
import type { Changes, Store } from '../../core/ports.ts';
import { isListed, type MarketSetup, reachedFact, toFacts } from '../market-setup.ts';
import { makeFunding, makeMarks, makeSamples } from './funding-history.ts';
import {
  addDays,
  chicagoDateAt,
  type Schedule,
  scheduleOf,
  sessionOn,
  type TradingSession,
} from '../../market/calendar.ts';
import { activityOf } from '../products/activity.ts';
import { makeOfficialTrades, makeTrades } from './generated-trades.ts';
import { type GeneratedOrder, makeClosed, makeResting } from './generated-order.ts';
import { publicationOf, publishInterest, summarize, toSession } from '../session-figures.ts';
import { createOrderIds } from '../order-ids.ts';
import type { Prices } from '../prices.ts';
import { createRandom, type Random } from '../../core/random.ts';

const DAY = 86_400_000_000;
/** How many trades an old session has. They are not stored, so a few large ones make up its figures. */
const OLD_TRADES = 6;

export interface HistoryTask {
  readonly seed: number;
  readonly genesis: Micros;
  /** History is generated after `from`, up to `until`. */
  readonly from: Micros;
  readonly until: Micros;
  readonly products: ReadonlyMap<number, Product>;
  readonly accounts: readonly [Account, ...Account[]];
  /** Coarse prices are for old sessions, exact ones for those whose trades are stored. */
  readonly prices: { readonly coarse: Prices; readonly exact: Prices };
  /** The number of closed and of working orders to generate. */
  readonly orders: number;
  readonly working: number;
  /** Trades from this time on are stored. */
  readonly tradeRetentionStart: Micros;
  /** The open interest so far, by product. It is updated by the generation. */
  readonly interest: Map<number, number>;
  /** Returns the trades before `from` of a session that is in progress then. */
  readonly tradedBefore: (productId: number) => readonly Trade[];
  /** The fills of orders that were working at `from`. */
  readonly fills: readonly Trade[];
}

/** Returns the time from which trades are stored: three days before the last 24 hours. */
export function toTradeRetentionStart(now: Micros): Micros {
  return now - 4 * DAY;
}

/** Generates the changes day by day, oldest first. */
export function* makeHistory(task: HistoryTask): Generator<Changes> {
  const random = createRandom(task.seed, `history/${task.from}`);
  const ids = createOrderIds();
  const closed = createSchedule(task.orders, task, 2);
  const resting = createSchedule(task.working, task, 12);
  let fills = task.fills;
  for (let date = chicagoDateAt(task.from); ; date = addDays(date, 1)) {
    const day = openDay(task, date);
    // This date has already settled.
    if (day.length === 0) continue;
    if (day.every(({ span }) => span.from >= task.until)) return;
    const open = day.filter(({ span }) => span.from < span.until);
    const until = Math.max(...open.map(({ span }) => span.until), task.from);
    const past = [
      ...generateOrders(closed(until), makeClosed, { task, open, random }),
      ...generateOrders(resting(until), makeResting, {
        task,
        open: open.filter(({ product }) => isListed(product, task.until)),
        random,
      }),
    ];
    const ended = Object.groupBy([...fills, ...past.flatMap(({ trades }) => trades)], ({ time }) =>
      time < until ? 'past' : 'later',
    );
    fills = ended.later ?? [];
    yield closeDay(task, open, { past, fills: ended.past ?? [] }, ids);
  }
}

/** The session of one product on a day. */
interface ProductDay {
  readonly product: Product;
  readonly session: TradingSession;
  readonly span: { readonly from: Micros; readonly until: Micros };
}

function openDay({ products, from, until }: HistoryTask, date: SessionDate): ProductDay[] {
  const sessions: Readonly<Record<Schedule, TradingSession | null>> = {
    daily: sessionOn('daily', date),
    weekdays: sessionOn('weekdays', date),
  };
  return Array.from(products.values()).flatMap((product) => {
    const session = sessions[scheduleOf(product.kind)];
    if (session === null || session.settle <= from || !trades(product, session)) return [];
    const span = { from: Math.max(session.open, product.listedAt, from), until: Math.min(session.settle, until) };
    return [{ product, session, span }];
  });
}

function trades({ listedAt, expiresAt }: Product, { settle }: TradingSession): boolean {
  return listedAt < settle && (expiresAt === null || settle <= expiresAt);
}

/**
 * Spreads `total` over the time, most of it near the end. The returned function says how many are due since its last
 * call.
 */
function createSchedule(total: number, { from, until }: HistoryTask, power: number): (time: Micros) => number {
  let made = 0;
  return (time) => {
    const left = Math.max(0, (until - time) / Math.max(1, until - from));
    const due = Math.round(total * (1 - left ** (1 / power)));
    const count = due - made;
    made = due;
    return count;
  };
}

interface GenerationContext {
  readonly task: HistoryTask;
  readonly open: readonly ProductDay[];
  readonly random: Random;
}

function generateOrders(
  count: number,
  make: typeof makeClosed,
  { task, open, random }: GenerationContext,
): GeneratedOrder[] {
  const choose = chooser(open, random);
  const context = { prices: task.prices.coarse, exact: task.prices.exact, random, accounts: task.accounts };
  const made: GeneratedOrder[] = [];
  let time: Micros | null = null;
  for (let at = 0; at < count; at++) {
    const { product, session, span } = choose();
    // Occasionally two orders are accepted at the same instant.
    if (time === null || time < span.from || time >= span.until || !random.chance(0.02)) {
      time = span.from + Math.floor(random.next() * (span.until - span.from));
    }
    made.push(make({ product, time, settle: session.settle, now: task.until }, context));
  }
  return made;
}

/** Returns a function that chooses a product. Busier products get more orders, but each gets some. */
function chooser(open: readonly ProductDay[], random: Random): () => ProductDay {
  const bounds: number[] = [];
  let sum = 0;
  for (const { product, span } of open) {
    const { tradesPerDay } = activityOf(product, span.from);
    sum += tradesPerDay === 0 ? 0 : Math.sqrt(tradesPerDay) + 3;
    bounds.push(sum);
  }
  return () => {
    const place = random.next() * sum;
    const found = open[bounds.findIndex((bound) => place < bound)] ?? open[0];
    if (found === undefined) throw new RangeError('no product is open');
    return found;
  };
}

interface DayEvents {
  readonly past: readonly GeneratedOrder[];
  /** The fills of orders of this day and of earlier ones. */
  readonly fills: readonly Trade[];
}

function closeDay(
  task: HistoryTask,
  open: readonly ProductDay[],
  { past, fills }: DayEvents,
  ids: ReturnType<typeof createOrderIds>,
): Changes {
  const fillsByProduct = Map.groupBy(fills, ({ productId }) => productId);
  const kept: Trade[] = [];
  const sessions: Session[] = [];
  for (const day of open) {
    const earlier = day.session.open < task.from ? task.tradedBefore(day.product.id) : [];
    const settlement = settlementOf(task, day);
    const made = dayTrades(task, day, { earlier, fills: fillsByProduct.get(day.product.id) ?? [], settlement });
    for (const trade of made) if (trade.time >= task.tradeRetentionStart) kept.push(trade);
    if (settlement !== null) sessions.push(settleDay(task, day, { trades: [...earlier, ...made], settlement }));
  }
  const orders = past
    .map(({ order }) => order)
    .sort((a, b) => (a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : 0));
  return {
    orders: orders.map((order): Order => ({ ...order, ...ids(order.timeNs) })),
    trades: kept.sort((a, b) => a.time - b.time),
    sessions,
  };
}

/** Returns the settlement price; null while the session is in progress. */
function settlementOf({ until, prices }: HistoryTask, { product, session }: ProductDay): number | null {
  return session.settle <= until ? Math.round(prices.exact.fair(product, session.settle)) : null;
}

interface DayFigures {
  /** The trades of the session before this history begins. */
  readonly earlier: readonly Trade[];
  readonly fills: readonly Trade[];
  readonly settlement: number | null;
}

/** Generates the trades of a day, oldest first. */
function dayTrades(task: HistoryTask, day: ProductDay, { earlier, fills, settlement }: DayFigures): Trade[] {
  const { product, session, span } = day;
  const recent = session.settle >= task.tradeRetentionStart;
  const random = createRandom(task.seed, `trades/${product.id}/${session.date}/${task.from}`);
  const made = makeTrades(product, span, {
    prices: recent ? task.prices.exact : task.prices.coarse,
    random,
    atMost: recent ? Infinity : OLD_TRADES,
  });
  const traded = [...made, ...fills];
  const marks = product.kind === 'perpetual' ? makeMarks(product, { ...span, prices: task.prices }) : [];
  const isQuiet = earlier.length + traded.length + marks.length === 0;
  // The instant of settlement belongs to the next session.
  const close = settlement === null || isQuiet ? [] : [{ time: session.settle - 1, price: settlement }];
  const official = makeOfficialTrades(product, [...marks, ...close], [...earlier, ...traded]);
  return [...traded, ...official].sort((a, b) => a.time - b.time);
}

interface SettledFigures {
  readonly trades: readonly Trade[];
  readonly settlement: number;
}

function settleDay(
  task: HistoryTask,
  { product, session }: ProductDay,
  { trades: all, settlement }: SettledFigures,
): Session {
  const settled = toSession(product.id, session, summarize(all), settlement);
  if (publicationOf(session.date) > task.until) return settled;
  const published = publishInterest(settled, product, task.interest.get(product.id) ?? 0, task);
  task.interest.set(product.id, published.open);
  return published.session;
}

/** The approximate number of orders per batch. */
const BATCH = 1_500;

/**
 * Generates the history of a new store. It follows from the seed settings, which are written first: if the process is
 * killed in between, the same history is generated again and overwrites what is there.
 */
export async function writeGenesis(store: Store, setup: MarketSetup): Promise<void> {
  const { settings, products, universe, prices, accounts, historyStart } = setup;
  const { genesis } = settings;
  await store.commit({ facts: toFacts(settings) });
  // Trades have no key, so writing them again would duplicate them.
  await store.prune({ trades: genesis + 1, samples: 0 });
  universe.extend(genesis);
  await writeHistory(store, {
    seed: settings.seed,
    genesis,
    from: historyStart,
    until: genesis,
    products,
    accounts,
    prices,
    orders: settings.orders,
    working: settings.working,
    tradeRetentionStart: toTradeRetentionStart(genesis),
    interest: new Map(),
    tradedBefore: () => [],
    fills: [],
  });
  await store.commit({ facts: reachedFact(genesis) });
}

/** Writes the sessions, orders, trades and funding between two instants to the store. */
async function writeHistory(store: Store, task: HistoryTask): Promise<void> {
  for (const changes of inBatches(makeHistory(task))) await store.commit(changes, { projected: true });
  for (const product of task.products.values()) {
    if (product.kind !== 'perpetual') continue;
    const funding = makeFunding(product, task);
    const samples = makeSamples(product, task, 0);
    await store.commit({ funding, samples });
  }
}

function* inBatches(days: Iterable<Changes>): Generator<Changes> {
  let batch = createBatch();
  for (const { orders = [], trades = [], sessions = [] } of days) {
    // The last days have the most orders, too many for one batch.
    for (let at = 0; at < orders.length; at += BATCH) {
      batch.orders.push(...orders.slice(at, at + BATCH));
      if (batch.orders.length < BATCH) continue;
      yield batch;
      batch = createBatch();
    }
    for (const trade of trades) batch.trades.push(trade);
    batch.sessions.push(...sessions);
    if (batch.trades.length + batch.sessions.length < BATCH) continue;
    yield batch;
    batch = createBatch();
  }
  yield batch;
}

function createBatch() {
  return { orders: new Array<Order>(), trades: new Array<Trade>(), sessions: new Array<Session>() };
}
