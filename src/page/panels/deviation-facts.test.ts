import { expect, test } from 'vitest';
import { joinDeviations, toDeviationFacts } from './freshness-mark.tsx';

const extra = {
  kind: 'unknown field',
  path: '$.data[0].colour',
  place: '$.data[].colour',
  expected: 'nothing',
  found: 'text',
  count: 2,
} as const;
const missing = {
  kind: 'missing field',
  path: '$.data[0].price',
  place: '$.data[].price',
  expected: 'text',
  found: 'nothing',
  count: 1,
} as const;

test('counts a response that is shown twice once', () => {
  const response = { endpoint: 'orders', deviations: [extra] };
  expect(joinDeviations([response, undefined, {}, response])).toEqual([{ ...extra, endpoint: 'orders' }]);
});

test('adds up equal deviations of one endpoint and keeps endpoints apart', () => {
  const joined = joinDeviations([
    { endpoint: 'estimate', deviations: [extra] },
    { endpoint: 'estimate', deviations: [extra, missing] },
    { endpoint: 'prices', deviations: [extra] },
  ]);
  expect(joined.map(({ endpoint, kind, count }) => [endpoint, kind, count])).toEqual([
    ['estimate', 'unknown field', 4],
    ['estimate', 'missing field', 1],
    ['prices', 'unknown field', 2],
  ]);
});

test('names endpoint, kind, place, expected and found', () => {
  expect(
    toDeviationFacts([
      { ...extra, endpoint: 'orders' },
      { ...missing, endpoint: 'orders' },
    ]),
  ).toEqual([
    { name: 'orders: unknown field', value: '$.data[].colour: expected nothing, found text, 2 times', code: true },
    { name: 'orders: missing field', value: '$.data[].price: expected text, found nothing', code: true },
  ]);
});
