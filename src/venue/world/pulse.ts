import {
  addSample,
  firstFundingWindow,
  fundingWindowAt,
  INTEREST_RATE,
  NO_SAMPLES,
  premiumOf,
  SAMPLES_PER_INTERVAL,
  samplesDue,
  settleRate,
  type FundingProgress,
} from '../market/funding.ts';
import type { Micros, PremiumSample, Product } from '../model.ts';
import { RANKS, type Agenda } from './agenda.ts';
import { isListed, type Floor } from './floor.ts';
import type { Ledger } from './ledger.ts';
import type { Makers } from './makers.ts';
import { toHundredths } from './past-funding.ts';

const PERIOD = 15_000_000;
/** The index is compared with the best so many price levels: what rests far away says nothing of where a product trades. */
const IMPACT_LEVELS = 5;

export interface PulseContext {
  readonly floor: Floor;
  readonly agenda: Agenda;
  readonly ledger: Ledger;
  readonly makers: Makers;
}

/** Every 15 seconds: the makers look at the perpetuals, their premium is sampled; at an interval's end funding is settled. */
export function startPulse(time: Micros, samples: Iterable<PremiumSample>, context: PulseContext): void {
  const { floor, agenda, makers } = context;
  const progress = new Map<number, { start: Micros; funding: FundingProgress }>();
  const take = ({ productId, intervalStart, i, premium }: PremiumSample): FundingProgress => {
    const known = progress.get(productId);
    const before = known?.start === intervalStart ? known.funding : NO_SAMPLES;
    const funding = addSample(before, i, premium);
    progress.set(productId, { start: intervalStart, funding });
    return funding;
  };
  for (const sample of samples) take(sample);

  const pulse = (now: Micros): void => {
    for (const product of floor.products.values()) {
      if (product.kind !== 'perpetual' || !isListed(product, now)) continue;
      makers.refresh(product, now);
      samplePerpetual(product, now, take, context);
    }
    agenda.add(now + PERIOD, RANKS.pulse, pulse);
  };
  agenda.add(Math.floor(time / PERIOD) * PERIOD + PERIOD, RANKS.pulse, pulse);
}

function samplePerpetual(
  product: Product,
  now: Micros,
  take: (sample: PremiumSample) => FundingProgress,
  { floor, ledger }: PulseContext,
): void {
  // An interval's last sample is taken at its end, which is the beginning of the next one.
  const { start, end } = fundingWindowAt(now - 1);
  const book = floor.matching.book(product.id);
  const index = floor.prices.exact.index(product, now);
  const premium = premiumOf(book.meanPrice('Bid', IMPACT_LEVELS), book.meanPrice('Ask', IMPACT_LEVELS), index);
  const sample = { productId: product.id, intervalStart: start, i: samplesDue(start, now), premium };
  const funding = take(sample);
  ledger.addSample(sample);
  if (sample.i < SAMPLES_PER_INTERVAL || start < firstFundingWindow(product.listedAt).start) return;
  const [bid, ask] = [book.best('Bid'), book.best('Ask')];
  ledger.addFunding({
    productId: product.id,
    start,
    end,
    index: toHundredths(index),
    mark: bid && ask ? (bid.price + ask.price) / 2 : Math.round(floor.prices.exact.fair(product, now)),
    interestRate: INTEREST_RATE,
    rate: settleRate(funding) ?? INTEREST_RATE,
  });
}
