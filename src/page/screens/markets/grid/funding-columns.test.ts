import { expect, it } from 'vitest';
import { toMarketFunding } from '#model/markets/market-rows.ts';
import { toNextInterval } from '#model/funding/funding-rate.ts';
import { whyNoCountdown } from '#model/tables/why-no-countdown.ts';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/settled-rates.ts';
import { formatTimeToFunding } from './funding-columns.ts';

const [prints] = toWirePrints([printAt(0, '0.0001')]);
const parts = { product: { type: 'perpetual' }, funding: undefined } as unknown as Parameters<
  typeof toMarketFunding
>[0];

function countdown(given: typeof prints, at: number): string | null {
  const funding = toMarketFunding({ ...parts, latestPrint: given });
  return funding && formatTimeToFunding(funding, at);
}

it('there is no countdown to a funding time that is not the next one, and the reason is given', () => {
  const at = Date.parse(fundingTimeAt(1));
  const [ahead] = toWirePrints([printAt(90, '0.0001')]);
  const interval = ahead === undefined ? null : toNextInterval(ahead);
  expect([countdown(ahead, at), whyNoCountdown(interval, at)]).toEqual([
    '–',
    expect.stringContaining(`ends at ${fundingTimeAt(92)}`),
  ]);
  expect(whyNoCountdown(prints === undefined ? null : toNextInterval(prints), at)).toBeNull();
});

it('the countdown, by clocks that differ by a second, may show a second more than an interval', () => {
  expect([1_000, 61_000].map((early) => countdown(prints, Date.parse(fundingTimeAt(1)) - early))).toEqual([
    '8:00:01',
    '–',
  ]);
});

it('the countdown follows from the last settled rate before a predicted rate has loaded; without either it is still loading', () => {
  const at = Date.parse(fundingTimeAt(1));
  expect([countdown(prints, at), countdown(undefined, at)]).toEqual(['8:00:00', '…']);
});
