import { expect, test } from 'vitest';
import { joinDeviations, toDeviationFacts } from './deviation-facts.ts';

const extra = { kind: 'unknown field', place: '$.data[].colour', expected: 'nothing', found: 'text', count: 2 };
const missing = { kind: 'missing field', place: '$.data[].price', expected: 'text', found: 'nothing', count: 1 };

test('an answer that is shown twice is told of once', () => {
  const answer = { endpoint: 'orders', deviations: [extra] };
  expect(joinDeviations([answer, undefined, {}, answer])).toEqual([{ ...extra, endpoint: 'orders' }]);
});

test('what several answers of one endpoint have in common is counted together; another endpoint stands by itself', () => {
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

test('each is told with what was asked, where, what was due and what came', () => {
  expect(toDeviationFacts([{ ...extra, endpoint: 'orders' }, { ...missing, endpoint: 'orders' }])).toEqual([
    { name: 'orders: unknown field', value: '$.data[].colour: expected nothing, found text, 2 times', code: true },
    { name: 'orders: missing field', value: '$.data[].price: expected text, found nothing', code: true },
  ]);
});
