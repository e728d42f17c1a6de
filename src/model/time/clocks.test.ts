import { expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import { byExchangeClock, describeAhead } from './clocks.ts';

it('says how far clocks are apart, but nothing of the little by which all are', () => {
  expect([0, 59_999, -59_999].map(describeAhead)).toEqual([null, null, null]);
  expect([61_000, -3 * 86_400_000, 90_000_000].map(describeAhead)).toEqual([
    '1 min ahead of',
    '3 d behind',
    '1 d 1 h ahead of',
  ]);
});

it('times a response by the exchange’s clock only if that differs', () => {
  const response = { respondedAt: '2026-11-28T06:37:24.123456Z' as Instant };
  expect(byExchangeClock(response, 500)).toBe(response);
  expect(byExchangeClock(response, -3 * 86_400_000).respondedAt).toBe('2026-11-25T06:37:24.123Z');
  expect(byExchangeClock({ respondedAt: null }, 86_400_000).respondedAt).toBeNull();
});
