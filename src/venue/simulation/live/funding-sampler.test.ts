import { expect, test } from 'vitest';
import { perpetual } from '#testing/http/small-universe.ts';
import { addSample, NO_SAMPLES, settleRate } from '../../market/funding.ts';
import { createMatching } from '../../market/matching.ts';
import type { PremiumSample } from '../../core/model.ts';
import { createEventQueue } from './event-queue.ts';
import { createMarketSetup, type MarketSetup } from '../market-setup.ts';
import { createChangeBuffer } from './change-buffer.ts';
import type { Prices } from '../prices.ts';
import { startFundingSampler } from './funding-sampler.ts';

const EIGHT_HOURS = 28_800_000_000;
const INDEX = 17_500;
const START = Date.parse('2026-08-17T08:00:00Z') * 1_000;
const PREMIUM = 0.004;

/** Opens one perpetual without makers' quotes, and the last sample before `START`. */
function open(samples: readonly PremiumSample[]) {
  const products = new Map([[perpetual.id, perpetual]]);
  const settings = { seed: 7, genesis: START, historyDays: 1, orders: 0, working: 0, cursorKey: '' };
  const still: Prices = { spot: () => INDEX, index: () => INDEX, fair: () => INDEX };
  const prices = { coarse: still, exact: still };
  const setup: MarketSetup = {
    ...createMarketSetup(new Map(), settings),
    products,
    prices,
    matching: createMatching(products),
  };
  const [events, buffer] = [createEventQueue(), createChangeBuffer([])];
  startFundingSampler(START, samples, { setup, events, buffer, makers: { refresh: () => undefined } });
  const goTo = (time: number): void => {
    while (events.next() <= time) events.runNext();
  };
  return { setup, buffer, goTo };
}

const before: PremiumSample = {
  productId: perpetual.id,
  intervalStart: START - EIGHT_HOURS,
  i: 1920,
  premium: PREMIUM,
};

test('the rate of an interval with an empty book is that of the previous premium, with all sample weights', () => {
  const { buffer, goTo } = open([before]);
  goTo(START + EIGHT_HOURS);
  const { samples, funding = [] } = buffer.take();
  expect(samples).toEqual([{ productId: perpetual.id, intervalStart: START, i: 1, premium: PREMIUM }]);
  expect(funding.map(({ start, rate }) => [start, rate])).toEqual([[START, PREMIUM - 0.0005]]);
});

test('an empty book at the start of an interval counts as the previous premium until there are quotes', () => {
  const { setup, buffer, goTo } = open([before]);
  goTo(START + EIGHT_HOURS / 2);
  setup.matching.quote('maker', perpetual.id, [{ side: 'Bid', price: INDEX + 35, quantity: 1 }], 1n);
  goTo(START + EIGHT_HOURS);
  const { samples, funding = [] } = buffer.take();
  let whole = NO_SAMPLES;
  for (let i = 1; i <= 1920; i++) whole = addSample(whole, i, i <= 960 ? PREMIUM : 0.002);
  expect(whole.weight).toBe(1_844_160);
  expect(funding[0]?.rate).toBe(settleRate(whole));
  expect(samples).toHaveLength(961);
});

test('a book that was always empty has no samples, and its rate is the interest rate', () => {
  const { buffer, goTo } = open([]);
  goTo(START + EIGHT_HOURS);
  const { samples, funding = [] } = buffer.take();
  expect(samples).toEqual([]);
  expect(funding.map(({ rate }) => rate)).toEqual([0.0001]);
});
