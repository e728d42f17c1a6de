import {
  addSample,
  firstFundingWindow,
  fundingWindowAt,
  INTEREST_RATE,
  NO_SAMPLES,
  SAMPLES_PER_INTERVAL,
  sampleInstant,
  samplesDue,
  settleRate,
  type FundingProgress,
  type FundingWindow,
} from '../../market/funding.ts';
import type { FundingInterval, Micros, PremiumSample, Product } from '../../core/model.ts';
import { halfSpread } from '../products/activity.ts';
import type { Prices } from '../prices.ts';
import type { OfficialPrice } from './generated-trades.ts';

/** How many samples are generated for an old interval. The formula carries each one forward to the next. */
const OLD_SAMPLES = 8;

export interface FundingTask {
  readonly from: Micros;
  readonly until: Micros;
  readonly prices: { readonly coarse: Prices; readonly exact: Prices };
}

/** Generates a perpetual's funding intervals that ended after `from` and not after `until`, oldest first. */
export function makeFunding(product: Product, { from, until, prices }: FundingTask): FundingInterval[] {
  return windowsEnding(product, from, until).map((window) => settleWindow(product, window, prices.coarse));
}

/** Returns the marks of the intervals that `makeFunding` generates. */
export function makeMarks(product: Product, { from, until, prices }: FundingTask): OfficialPrice[] {
  return windowsEnding(product, from, until).map(({ end }) => ({
    time: end,
    price: markAt(product, end, prices.coarse),
  }));
}

function windowsEnding({ listedAt }: Product, from: Micros, until: Micros): FundingWindow[] {
  const windows: FundingWindow[] = [];
  let window = fundingWindowAt(Math.max(firstFundingWindow(listedAt).start, from));
  for (; window.end <= until; window = fundingWindowAt(window.end)) windows.push(window);
  return windows;
}

function markAt(product: Product, time: Micros, prices: Prices): number {
  return Math.round(prices.fair(product, time));
}

/** Generates the samples of the current interval that follow sample `after`. */
export function makeSamples(product: Product, { until, prices }: FundingTask, after: number): PremiumSample[] {
  const { start } = fundingWindowAt(until);
  if (until < product.listedAt) return [];
  const due = samplesDue(start, until);
  return Array.from({ length: Math.max(0, due - after) }, (_, at) => {
    const i = after + at + 1;
    return {
      productId: product.id,
      intervalStart: start,
      i,
      premium: modelPremium(product, sampleInstant(start, i), prices.exact),
    };
  });
}

function settleWindow(product: Product, window: FundingWindow, prices: Prices): FundingInterval {
  let progress = NO_SAMPLES;
  for (let at = 1; at <= OLD_SAMPLES; at++) {
    const i = (SAMPLES_PER_INTERVAL * at) / OLD_SAMPLES;
    progress = addSample(progress, i, modelPremium(product, sampleInstant(window.start, i), prices));
  }
  return toInterval(product, window, progress, prices);
}

/** Settles the interval from its samples. Returns nothing if the product was listed after it began. */
export function settleSamples(
  product: Product,
  window: FundingWindow,
  samples: readonly PremiumSample[],
  prices: Prices,
): FundingInterval[] {
  if (window.start < firstFundingWindow(product.listedAt).start) return [];
  const progress = samples.reduce((sums, { i, premium }) => addSample(sums, i, premium), NO_SAMPLES);
  return [toInterval(product, window, progress, prices)];
}

function toInterval(
  product: Product,
  { start, end }: FundingWindow,
  progress: FundingProgress,
  prices: Prices,
): FundingInterval {
  return {
    productId: product.id,
    start,
    end,
    index: toHundredths(prices.index(product, end)),
    mark: markAt(product, end, prices),
    interestRate: INTEREST_RATE,
    rate: settleRate(progress) ?? INTEREST_RATE,
  };
}

/** Returns the premium that the makers' quotes around the fair price would have had. */
function modelPremium(product: Product, time: Micros, prices: Prices): number {
  const index = prices.index(product, time);
  const fair = prices.fair(product, time);
  const away = 1.75 * halfSpread(product, fair);
  const premium = Math.max(0, fair - away - index) - Math.max(0, index - fair - away);
  return Math.round((premium / index) * 1e10) / 1e10;
}

export function toHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
