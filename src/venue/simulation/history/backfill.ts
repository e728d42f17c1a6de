import { isOpen, scheduleOf, sessionAt } from '../../market/calendar.ts';
import { fundingWindowAt } from '../../market/funding.ts';
import type { FundingInterval, Micros, Order, PremiumSample, Product, Session, Trade } from '../../core/model.ts';
import type { Changes } from '../../core/ports.ts';
import { toTrade } from './generated-trades.ts';
import type { MarketSetup } from '../market-setup.ts';
import { toTradeRetentionStart, makeHistory } from './history.ts';
import { publicationOf, publishInterest } from '../session-figures.ts';
import { toNanos } from '../order-ids.ts';
import { makeFunding, makeSamples, settleSamples } from './funding-history.ts';
import type { ResumeState } from '../resume-state.ts';

const HOUR = 3_600_000_000;
const MAX_STEPS = 2_000;

/** A downtime of up to this length is simulated. The history of a longer one is generated. */
export const LONGEST_SIMULATED_DOWNTIME = 600_000_000;

/**
 * Generates the history of a downtime. Sessions settled and funding fell due as if the market had continued elsewhere.
 * No new orders were accepted, but working orders expired, or were filled when the market reached their prices.
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
  const generated = [...days];
  const perpetuals = [...products.values()].filter(({ kind }) => kind === 'perpetual');
  const funded = perpetuals.map((product) => fundDowntime(product, setup, resumeState, until));
  return {
    orders: ended.map(({ order }) => order).sort((a, b) => (a.lastModifiedNs < b.lastModifiedNs ? -1 : 1)),
    trades: generated.flatMap((day) => day.trades ?? []),
    sessions: [...published, ...generated.flatMap((day) => day.sessions ?? [])],
    funding: funded.flatMap(({ funding }) => funding),
    samples: funded.flatMap(({ samples }) => samples),
  };
}

interface Ended {
  readonly order: Order;
  readonly trades: readonly Trade[];
}

/** Returns the order as the downtime left it; nothing if it still rests. */
function endOrder(order: Order, setup: MarketSetup, from: Micros, until: Micros): Ended[] {
  const product = setup.products.get(order.productId);
  if (product === undefined) return [];
  const end = order.timeInForce === 'Day' ? lastInstant(order, product) : (product.expiresAt ?? Infinity);
  const filledAt = findFillTime(order, product, setup, { from, until: Math.min(end, until) });
  if (filledAt !== null) {
    const rest = order.requested - order.filled;
    const filled = { filled: order.requested, filledTicks: order.filledTicks + rest * order.price };
    return [
      { order: closeAt({ ...order, ...filled }, filledAt), trades: [toTrade(product, filledAt, order.price, rest)] },
    ];
  }
  return end <= until ? [{ order: closeAt(order, Math.max(end, from)), trades: [] }] : [];
}

function lastInstant({ timeNs }: Order, { kind }: Product): Micros {
  return sessionAt(scheduleOf(kind), Number(timeNs / 1000n)).settle;
}

function closeAt(order: Order, time: Micros): Order {
  return { ...order, status: 'Closed', lastModifiedNs: toNanos(time) };
}

/** Returns when the market first reached the order's price. */
function findFillTime(
  { side, price }: Order,
  product: Product,
  { prices }: MarketSetup,
  { from, until }: { readonly from: Micros; readonly until: Micros },
): Micros | null {
  const step = Math.max(HOUR, Math.ceil((until - from) / MAX_STEPS));
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

/**
 * Settles funding over the downtime. The interval in progress is completed from its own samples; later ones are
 * generated.
 */
function fundDowntime(product: Product, { prices }: MarketSetup, resumeState: ResumeState, until: Micros): Funded {
  const own = resumeState.samples.filter(({ productId }) => productId === product.id);
  const current = fundingWindowAt(resumeState.reached);
  if (current.end > until) {
    return { funding: [], samples: makeSamples(product, { from: current.start, until, prices }, own.at(-1)?.i ?? 0) };
  }
  const rest = makeSamples(product, { from: current.start, until: current.end - 1, prices }, own.at(-1)?.i ?? 0);
  const completed = settleSamples(product, current, [...own, ...rest], prices.exact);
  return {
    funding: [...completed, ...makeFunding(product, { from: current.end, until, prices })],
    samples: [...rest, ...makeSamples(product, { from: current.end, until, prices }, 0)],
  };
}
