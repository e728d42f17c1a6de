import {
  addSample,
  firstFundingWindow,
  fundingWindowAt,
  INTEREST_RATE,
  NO_SAMPLES,
  premiumOf,
  samplesDue,
  settleRate,
  type FundingProgress,
  type FundingWindow,
} from '../../market/funding.ts';
import type { Micros, PremiumSample, Product } from '../../core/model.ts';
import { EVENT_RANKS, type EventQueue } from './event-queue.ts';
import { isListed, type MarketSetup } from '../market-setup.ts';
import type { ChangeBuffer } from './change-buffer.ts';
import type { MarketMakers } from './market-makers.ts';
import { toHundredths } from '../history/funding-history.ts';
import { tradeUpTo } from './traders.ts';

const PERIOD = 15_000_000;
/** How many price levels count for the premium. Entries far away say nothing about where a product trades. */
const IMPACT_LEVELS = 5;

export interface FundingSamplerContext {
  readonly setup: MarketSetup;
  readonly events: EventQueue;
  readonly buffer: ChangeBuffer;
  readonly makers: MarketMakers;
}

/**
 * Starts the sampling: every 15 seconds the makers quote the perpetuals and premiums are sampled. Funding settles at
 * the end of an interval.
 */
export function startFundingSampler(
  time: Micros,
  samples: Iterable<PremiumSample>,
  context: FundingSamplerContext,
): void {
  const { setup, events, makers } = context;
  const intervals = createIntervals();
  for (const sample of samples) intervals.add(sample);
  const sampleAll = (now: Micros): void => {
    for (const product of setup.products.values()) {
      if (product.kind !== 'perpetual' || !isListed(product, now)) continue;
      makers.refresh(product, now);
      samplePremium(product, now, intervals, context);
      settleFunding(product, now, intervals, context);
    }
    events.add(now + PERIOD, EVENT_RANKS.sample, sampleAll);
  };
  events.add(Math.floor(time / PERIOD) * PERIOD + PERIOD, EVENT_RANKS.sample, sampleAll);
}

/** The samples of each product's current interval. */
interface Intervals {
  readonly add: (sample: PremiumSample) => void;
  readonly of: (productId: number, start: Micros) => FundingProgress;
  /** Returns the last sampled premium, of any interval; null if there is none. */
  readonly premiumBefore: (productId: number) => number | null;
}

function createIntervals(): Intervals {
  const known = new Map<
    number,
    { readonly start: Micros; readonly progress: FundingProgress; readonly premium: number }
  >();
  const of: Intervals['of'] = (productId, start) => {
    const interval = known.get(productId);
    return interval?.start === start ? interval.progress : NO_SAMPLES;
  };
  return {
    of,
    add: ({ productId, intervalStart, i, premium }) => {
      const progress = addSample(of(productId, intervalStart), i, premium);
      known.set(productId, { start: intervalStart, progress, premium });
    },
    premiumBefore: (productId) => known.get(productId)?.premium ?? null,
  };
}

/** Returns the interval that a sample belongs to. The last one is taken at its end, when the next interval begins. */
function windowOfSample(now: Micros): FundingWindow {
  return fundingWindowAt(now - 1);
}

function samplePremium(
  product: Product,
  now: Micros,
  intervals: Intervals,
  { setup, buffer }: FundingSamplerContext,
): void {
  const book = setup.matching.book(product.id);
  const [bid, ask] = [book.meanPrice('Bid', IMPACT_LEVELS), book.meanPrice('Ask', IMPACT_LEVELS)];
  const { start } = windowOfSample(now);
  const carried = intervals.premiumBefore(product.id);
  // An empty book carries the previous premium forward. This needs a sample only at the start of a new interval, so
  // that its weights are complete; within an interval the formula carries premiums forward by itself.
  if (bid === null && ask === null && (carried === null || intervals.of(product.id, start).last > 0)) return;
  const premium = premiumOf(bid, ask, setup.prices.exact.index(product, now), carried ?? 0);
  const sample = { productId: product.id, intervalStart: start, i: samplesDue(start, now), premium };
  intervals.add(sample);
  buffer.addSample(sample);
}

function settleFunding(product: Product, now: Micros, intervals: Intervals, context: FundingSamplerContext): void {
  const { start, end } = windowOfSample(now);
  if (now < end || start < firstFundingWindow(product.listedAt).start) return;
  const { buffer, setup } = context;
  const { matching, prices } = setup;
  const [bid, ask] = [matching.book(product.id).best('Bid'), matching.book(product.id).best('Ask')];
  const mark = bid && ask ? (bid.price + ask.price) / 2 : Math.round(prices.exact.fair(product, now));
  buffer.addFunding({
    productId: product.id,
    start,
    end,
    index: toHundredths(prices.exact.index(product, now)),
    mark,
    interestRate: INTEREST_RATE,
    rate: settleRate(intervals.of(product.id, start)) ?? INTEREST_RATE,
  });
  tradeUpTo(mark, product, now, context);
}
