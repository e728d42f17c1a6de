import { expect, it } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import type { Sourced } from '../source.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import { toRunningChange } from './running-change.ts';

const [sample] = sampleResponses.productDataAll;

function dataOf(changed: object): Sourced<ProductData> {
  const { value } = createParser(ENDPOINTS.productData.response).tolerant(
    JSON.stringify({
      ...sample,
      settlement_price: 200,
      settlement_time: '2026-11-16T22:00:00Z',
      last_price: 210,
      last_price_time: '2026-11-17T14:00:00Z',
      low_price: 190,
      high_price: 220,
      price_change: 10,
      ...changed,
    }),
  );
  return { value: value ?? expect.fail('no product data') } as Sourced<ProductData>;
}

it('the change since the newest settlement is a ratio of ticks, with the session that runs', () => {
  const change = toRunningChange({ type: 'future' }, dataOf({}));
  expect([change?.date, change?.since, change?.fraction.value.toFixed()]).toEqual(['2026-11-17', '2026-11-16', '0.05']);
});

it('there is none before a trade since the settlement, nor where the change is no number or contradicts the prices', () => {
  const none = [
    { last_price_time: '2026-11-16T21:00:00Z' },
    { price_change: null },
    { price_change: 50 },
    { settlement_time: null },
  ].map((changed) => toRunningChange({ type: 'future' }, dataOf(changed)));
  expect(none).toEqual([null, null, null, null]);
});
