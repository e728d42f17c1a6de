import { expect, it } from 'vitest';
import { toMarketFunding } from '#domain/markets/market-funding.ts';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/funding-prints.ts';
import { formatTimeToFunding } from './funding-columns.ts';

const [prints] = toWirePrints([printAt(0, '0.0001')]);
const parts = { product: { type: 'perpetual' }, funding: undefined } as unknown as Parameters<typeof toMarketFunding>[0];

function countdown(given: typeof prints, at: number): string | null {
  const funding = toMarketFunding({ ...parts, latestPrint: given });
  return funding && formatTimeToFunding(funding, at);
}

it('the countdown follows from the last settled rate before a predicted rate has loaded; without either it is still loading', () => {
  const at = Date.parse(fundingTimeAt(1));
  expect([countdown(prints, at), countdown(undefined, at)]).toEqual(['8:00:00', '…']);
});
