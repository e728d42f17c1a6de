import { expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { Estimate } from '../../funding/estimate.ts';
import { asTicks } from '../../units/quantity.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { findCurrentInterval, toFundingFacts } from './funding-facts.ts';

const source = {
  setAside: [],
  deviations: [],
  endpoint: 'fundingRates',
  target: '/',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 3,
  cache: 'hit',
  requestId: null,
} as const;
const page = (changes: object = {}) => {
  const [row] = sampleResponses.fundingRates.data;
  const wire = {
    data: [{ ...row, price_index: 20_000, mark_price: 20_004, funding_rate: -0.00012, ...changes }],
    pagination: {},
  };
  return {
    ...source,
    value: createParser(ENDPOINTS.fundingRates.response).tolerant(JSON.stringify(wire)).value,
  } as never;
};
const [row] = sampleResponses.fundingRates.data;
const estimated = { funding_rate: 0.0002, interval_start: row.interval_end, interval_end: '2026-08-17T16:00:00Z' };
const estimate = (notCurrent: string | null = null) =>
  ({
    ...source,
    respondedAt: '2026-08-17T09:10:11.000Z',
    notCurrent,
    value: createParser(ENDPOINTS.fundingEstimated.response).tolerant(JSON.stringify(estimated)).value,
  }) as unknown as Estimate;
const terms = { conversion: asTicks, digits: 2, markWithheld: null };

test('each figure has its own time: those of the last funding its funding time, the predicted rate when it was read', () => {
  const facts = toFundingFacts(page(), estimate(), terms).map(({ name, quantity, remark, at, meaning }) =>
    [name, quantity.value?.toFixed(), remark, at, meaning].filter((part) => part !== undefined).join(' | '),
  );
  expect(facts).toEqual([
    `Last funding | -0.00012 | to | ${row.interval_end} | shorts pay longs`,
    'Predicted rate | 0.0002 | longs pay shorts',
    `Index at last funding | 20000 | ${row.interval_end}`,
    `Mark at last funding | 20004 | ${row.interval_end}`,
    `Premium at last funding | 0.0002 | ${row.interval_end}`,
  ]);
});

test('nothing stands in for what has not been read', () => {
  expect([
    toFundingFacts(undefined, null, terms),
    toFundingFacts(undefined, estimate(), terms).map(({ name }) => name),
  ]).toEqual([[], ['Predicted rate']]);
});

test('a predicted rate that is out of date says why', () => {
  expect(toFundingFacts(undefined, estimate('Its interval has ended.'), terms)[0]?.notCurrent).toBe(
    'Its interval has ended.',
  );
});

test('a mark that failed its check is withheld, and the premium with it; the index is not', () => {
  const withheld = toFundingFacts(page(), null, { ...terms, markWithheld: 'The mark is off.' }).filter(
    ({ quantity }) => quantity.withheld !== null,
  );
  expect(withheld.map(({ name }) => name)).toEqual(['Mark at last funding', 'Premium at last funding']);
});

test('an impossible index is withheld, and the premium with it', () => {
  const withheld = toFundingFacts(page({ price_index: 0 }), null, terms).filter(
    ({ quantity }) => quantity.withheld !== null,
  );
  expect(withheld.map(({ name }) => name)).toEqual(['Index at last funding', 'Premium at last funding']);
});

test('the next funding is that of the predicted rate, or else follows the last settled one', () => {
  expect(findCurrentInterval(page(), estimate())?.interval_end).toBe('2026-08-17T16:00:00Z');
  expect(findCurrentInterval(page(), null)?.interval_end).toBe('2026-08-17T16:00:00Z');
  expect(findCurrentInterval(undefined, estimate())?.interval_end).toBe('2026-08-17T16:00:00Z');
  expect(findCurrentInterval(undefined, null)).toBeNull();
});
