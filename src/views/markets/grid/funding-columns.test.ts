import { expect, it } from 'vitest';
import { toMarketFunding } from '#domain/market-funding.ts';
import { boundaryAt, printAt, toWirePrints } from '#testing/funding-prints.ts';
import { formatTimeToFunding } from './funding-columns.ts';

const [prints] = toWirePrints([printAt(0, '0.0001')]);
const parts = { product: { type: 'perpetual' }, funding: undefined } as unknown as Parameters<typeof toMarketFunding>[0];

function told(given: typeof prints, at: number): string | null {
  const funding = toMarketFunding({ ...parts, prints: given });
  return funding && formatTimeToFunding(funding, at);
}

it('the boundary follows from the last print before any estimate has come; with neither it is not read yet', () => {
  const at = Date.parse(boundaryAt(1));
  expect([told(prints, at), told(undefined, at)]).toEqual(['8:00:00', '…']);
});
