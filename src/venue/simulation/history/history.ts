import { isOpen, type Schedule, scheduleOf, sessionOn, type TradingSession } from '../../market/calendar.ts';
import { activityOf, atLeastOneTick, halfSpread, quoteStep } from '../products/activity.ts';
import { makeTrades, quoteFor } from './background-trades.ts';
import {
  between,
  closedAt,
  draftOf,
  findTurn,
  finish,
  type GeneratedOrder,
  type GeneratorContext,
  type Opening,
  part,
  toward,
  unreachedPrice,
} from './generated-order.ts';
import { addDays, chicagoDateAt } from '../../market/chicago-time.ts';
import type { Account, Micros, Order, Product, Session, SessionDate, Trade } from '../../core/model.ts';
import type { Changes } from '../../core/ports.ts';
import { makeMarks } from './funding-history.ts';
import { makeOfficialTrades } from './official-trades.ts';
import { isListed } from '../market-setup.ts';
import { publicationOf, publishInterest } from '../open-interest.ts';
import { createOrderIds } from '../order-ids.ts';
import type { Prices } from '../prices/prices.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { summarize, toSession } from '../session-summary.ts';

const MINUTE = 60_000_000;
const HOUR = 60 * MINUTE;
const LONGEST_GTC = 240 * HOUR;

/** A closed order: executed at once, filled while it rested, cancelled or expired. */
function makeClosed(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const share = context.random.next();
  if (share < 0.5) return makeAggressive(opening, context);
  if (share < 0.75) return makeFilled(opening, context);
  return makeUnfilled(opening, context);
}

/** A working order: away from all prices since it was sent, or, if it is not old, partially filled where they turned. */
function makeResting(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random } = context;
  const draft = draftOf(opening, context, opening.settle > opening.now && random.chance(0.6) ? 'Day' : 'GTC');
  const period = { from: opening.time, until: opening.now };
  const partly = random.chance(0.4) && draft.requested > 1 && period.until - period.from < LONGEST_GTC;
  // Prices move on while the market is closed, and would pass an order that was close.
  if (!partly || !isOpen(scheduleOf(opening.product.kind), opening.now)) {
    return finish(draft, unreachedPrice(draft, period, context), { status: 'Working', closedAt: null, fills: [] });
  }
  const turn = findTurn(draft, period, context);
  const fills = [{ ...turn, quantity: part(draft.requested, random) }];
  return finish(draft, turn.price, { status: 'Working', closedAt: null, fills });
}

/** Executes against the quotes at once. */
function makeAggressive(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random, prices } = context;
  const draft = draftOf(opening, context, random.pick(['IOC', 'IOC', 'IOC', 'Day', 'GTC']));
  const { product, time, requested, timeInForce } = draft;
  const fair = prices.fair(product, time);
  const best = quoteFor(draft.side, product, fair);
  const unfilled = timeInForce === 'IOC' && random.chance(0.25);
  if (unfilled) {
    return finish(draft, atLeastOneTick(product, best - toward(draft) * random.between(1, 6)), closedAt(time, []));
  }
  const filled = timeInForce === 'IOC' && random.chance(0.25) ? part(requested, random) : requested;
  const first = filled > 3 && random.chance(0.5) ? part(filled, random) : filled;
  const fills = [{ time, price: best, quantity: first }];
  const worse = atLeastOneTick(product, best + toward(draft) * quoteStep(halfSpread(product, fair)));
  if (first < filled) fills.push({ time, price: worse, quantity: filled - first });
  return finish(draft, atLeastOneTick(product, worse + toward(draft) * random.between(0, 4)), closedAt(time, fills));
}

/** Rests until the market reaches it. */
function makeFilled(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random, prices } = context;
  const draft = draftOf(opening, context, random.chance(0.6) ? 'Day' : 'GTC');
  const { product, time, requested } = draft;
  const until = Math.min(opening.settle, opening.now, time + Math.floor(random.wait(2 * HOUR)));
  const times = Array.from({ length: 5 }, () => between(time, until, random)).sort((a, b) => a - b);
  const values = times.map((at) => atLeastOneTick(product, Math.round(prices.fair(product, at))));
  const price = toward(draft) > 0 ? Math.min(...values) : Math.max(...values);
  const filledAt = times[values.indexOf(price)] ?? time;
  const first = random.chance(0.4) && requested > 1 ? part(requested, random) : requested;
  const fills = [{ time: filledAt, price, quantity: first }];
  const last = between(filledAt, Math.min(until, filledAt + MINUTE), random);
  if (first < requested) fills.push({ time: last, price, quantity: requested - first });
  return finish(draft, price, closedAt(fills.at(-1)?.time ?? filledAt, fills));
}

/** Rests mostly unfilled until it is cancelled or expires. */
function makeUnfilled(opening: Opening, context: GeneratorContext): GeneratedOrder {
  const { random } = context;
  const timeInForce = random.chance(0.6) ? 'Day' : 'GTC';
  const draft = draftOf(opening, context, timeInForce);
  const { time, product, settle, now, requested } = draft;
  const end = timeInForce === 'Day' ? settle : Math.min(product.expiresAt ?? Infinity, time + LONGEST_GTC);
  const expires = end <= now && random.chance(0.4);
  const closed = expires ? end : between(time, Math.min(end, now), random);
  const partly = random.chance(0.4) && requested > 1;
  const period = { from: time, until: closed };
  if (!partly) return finish(draft, unreachedPrice(draft, period, context), closedAt(closed, []));
  const turn = findTurn(draft, period, context);
  return finish(draft, turn.price, closedAt(closed, [{ ...turn, quantity: part(requested, random) }]));
}

const DAY = 86_400_000_000;
/** Old trades are not stored: a few large ones make up the figures of a session. */
const OLD_TRADES = 6;

export interface HistoryTask {
  readonly seed: number;
  readonly genesis: Micros;
  /** History is generated after `from`, up to `until`. */
  readonly from: Micros;
  readonly until: Micros;
  readonly products: ReadonlyMap<number, Product>;
  readonly accounts: readonly [Account, ...Account[]];
  /** Coarse for old sessions, exact for those whose trades are stored. */
  readonly prices: { readonly coarse: Prices; readonly exact: Prices };
  /** Number of closed and working orders to generate. */
  readonly orders: number;
  readonly working: number;
  /** Trades from here on are stored. */
  readonly tradeRetentionStart: Micros;
  /** Open interest so far, by product; updated here. */
  readonly interest: Map<number, number>;
  /** The trades, before `from`, of the session in progress. */
  readonly tradedBefore: (productId: number) => readonly Trade[];
  /** Fills of orders that were working at `from`. */
  readonly fills: readonly Trade[];
}

/** The changes of one day after the other, oldest first. */
export function* makeHistory(task: HistoryTask): Generator<Changes> {
  const random = createRandom(task.seed, `history/${task.from}`);
  const ids = createOrderIds();
  const closed = createSchedule(task.orders, task, 2);
  const resting = createSchedule(task.working, task, 12);
  let fills = task.fills;
  for (let date = chicagoDateAt(task.from); ; date = addDays(date, 1)) {
    const day = openDay(task, date);
    // The date has settled already.
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

/** Spreads `total` over the time, most of it near the end. Returns how many are due since the last call. */
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
    // Now and then two orders are accepted at the same instant.
    if (time === null || time < span.from || time >= span.until || !random.chance(0.02)) {
      time = span.from + Math.floor(random.next() * (span.until - span.from));
    }
    made.push(make({ product, time, settle: session.settle, now: task.until }, context));
  }
  return made;
}

/** Busier products get more orders, but each gets some. */
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
  /** Of orders of this day and of earlier ones. */
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

/** Null while the session is in progress. */
function settlementOf({ until, prices }: HistoryTask, { product, session }: ProductDay): number | null {
  return session.settle <= until ? Math.round(prices.exact.fair(product, session.settle)) : null;
}

interface DayFigures {
  /** Trades of the session before this history. */
  readonly earlier: readonly Trade[];
  readonly fills: readonly Trade[];
  readonly settlement: number | null;
}

/** Oldest first. */
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

/** Trades are stored from three days before the last 24 hours. */
export function toTradeRetentionStart(now: Micros): Micros {
  return now - 4 * DAY;
}
