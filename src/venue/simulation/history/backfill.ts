import { isOpen, scheduleOf, sessionAt } from '../../market/calendar.ts';
import { fundingWindowAt } from '../../market/funding.ts';
import type { FundingInterval, Micros, Order, PremiumSample, Product, Session, Trade } from '../../model.ts';
import type { Changes } from '../../ports.ts';
import { toTrade } from './background-trades.ts';
import type { MarketSetup } from '../market-setup.ts';
import { toTradeRetentionStart, makeHistory } from './history.ts';
import { publicationOf, publishInterest } from '../open-interest.ts';
import { toNanos } from '../order-ids.ts';
import { makeFunding, makeSamples, settleSamples } from './funding-history.ts';
import type { ResumeState } from '../resume-state.ts';

const HOUR = 3_600_000_000;
const MOST_LOOKS = 2_000;

/** A market that was not seen for no longer than this is simulated for what it missed; for longer it is made up. */
export const LONGEST_SIMULATED_DOWNTIME = 600_000_000;

/**
 * What happened while the exchange was down: the market went on elsewhere, so sessions settled and funding fell due; no
 * orders were taken, but those that rested were filled where the market passed them, and ended in their time.
 */
export function makeBackfill(setup: MarketSetup, resumeState: ResumeState, until: Micros): Changes {
  const { settings, products, prices, accounts } = setup;
  const ended = [...setup.matching.orders()].flatMap((order) => endOrder(order, setup, resumeState.reached, until));
  const published = publishDue(setup, resumeState, until);
  const days = makeHistory({
    seed: settings.seed,
    genesis: settings.genesis,
    from: resumeState.reached,
    until,
    products,
    accounts,
    prices,
    orders: 0,
    working: 0,
    tradeRetentionStart: toTradeRetentionStart(until),
    interest: resumeState.interest,
    tradedBefore: (productId) => resumeState.trades.filter((trade) => trade.productId === productId),
    fills: ended.flatMap(({ trades }) => trades),
  });
  const made = [...days];
  const perpetuals = [...products.values()].filter(({ kind }) => kind === 'perpetual');
  const funded = perpetuals.map((product) => fundDowntime(product, setup, resumeState, until));
  return {
    orders: ended.map(({ order }) => order).sort((a, b) => (a.lastModifiedNs < b.lastModifiedNs ? -1 : 1)),
    trades: made.flatMap((day) => day.trades ?? []),
    sessions: [...published, ...made.flatMap((day) => day.sessions ?? [])],
    funding: funded.flatMap(({ funding }) => funding),
    samples: funded.flatMap(({ samples }) => samples),
  };
}

interface Ended {
  readonly order: Order;
  readonly trades: readonly Trade[];
}

/** The order as the gap left it; nothing where it still rests. */
function endOrder(order: Order, setup: MarketSetup, from: Micros, until: Micros): Ended[] {
  const product = setup.products.get(order.productId);
  if (product === undefined) return [];
  const end = order.timeInForce === 'Day' ? lastInstant(order, product) : (product.expiresAt ?? Infinity);
  const met = findMeeting(order, product, setup, { from, until: Math.min(end, until) });
  if (met !== null) {
    const rest = order.requested - order.filled;
    const filled = { filled: order.requested, filledTicks: order.filledTicks + rest * order.price };
    return [{ order: closeAt({ ...order, ...filled }, met), trades: [toTrade(product, met, order.price, rest)] }];
  }
  return end <= until ? [{ order: closeAt(order, Math.max(end, from)), trades: [] }] : [];
}

function lastInstant({ timeNs }: Order, { kind }: Product): Micros {
  return sessionAt(scheduleOf(kind), Number(timeNs / 1000n)).settle;
}

function closeAt(order: Order, time: Micros): Order {
  return { ...order, status: 'Closed', lastModifiedNs: toNanos(time) };
}

/** When the market first came to the order's price. */
function findMeeting(
  { side, price }: Order,
  product: Product,
  { prices }: MarketSetup,
  { from, until }: { readonly from: Micros; readonly until: Micros },
): Micros | null {
  const step = Math.max(HOUR, Math.ceil((until - from) / MOST_LOOKS));
  for (let time = from + step; time < until; time += step) {
    if (!isOpen(scheduleOf(product.kind), time)) continue;
    const fair = prices.coarse.fair(product, time);
    if (side === 'Bid' ? fair <= price : fair >= price) return time;
  }
  return null;
}

function publishDue(setup: MarketSetup, { unpublished, interest }: ResumeState, until: Micros): Session[] {
  return unpublished.flatMap((session) => {
    const product = setup.products.get(session.productId);
    if (product === undefined || publicationOf(session.date) > until) return [];
    const published = publishInterest(session, product, interest.get(product.id) ?? 0, setup.settings);
    interest.set(product.id, published.open);
    return [published.session];
  });
}

interface Funded {
  readonly funding: readonly FundingInterval[];
  readonly samples: readonly PremiumSample[];
}

/** The interval that was in progress is completed from its own samples; those after it are worked out whole. */
function fundDowntime(product: Product, { prices }: MarketSetup, resumeState: ResumeState, until: Micros): Funded {
  const own = resumeState.samples.filter(({ productId }) => productId === product.id);
  const begun = fundingWindowAt(resumeState.reached);
  if (begun.end > until) {
    return { funding: [], samples: makeSamples(product, { from: begun.start, until, prices }, own.at(-1)?.i ?? 0) };
  }
  const rest = makeSamples(product, { from: begun.start, until: begun.end - 1, prices }, own.at(-1)?.i ?? 0);
  const completed = settleSamples(product, begun, [...own, ...rest], prices.exact);
  return {
    funding: [...completed, ...makeFunding(product, { from: begun.end, until, prices })],
    samples: [...rest, ...makeSamples(product, { from: begun.end, until, prices }, 0)],
  };
}
