import { expect, it } from 'vitest';
import type { Instant } from '#contract/instant.ts';
import { expiredOn } from './expiry.ts';

const settles = '2024-11-29T22:00:00.000000Z' as Instant;

it('ends a product that has expired with the day of its final settlement, and no other', () => {
  expect(expiredOn({ product_status: 'expired', final_settle_time: settles })).toBe('2024-11-29');
  expect(expiredOn({ product_status: 'active', final_settle_time: settles })).toBeNull();
  expect(expiredOn({ product_status: 'expired' })).toBeNull();
  expect(expiredOn(null)).toBeNull();
});
