import { expect, it } from 'vitest';
import { printAt, fundingTimeAt, toWirePrints } from '#testing/settled-rates.ts';
import { findAwaited } from './use-perpetual-queries.ts';

const [interval] = toWirePrints([printAt(1, '0.0001')]);
const [start, end] = [Date.parse(fundingTimeAt(1)), Date.parse(fundingTimeAt(2))];

it('awaits no settled rate within an interval whose predecessor has settled', () => {
  expect(findAwaited(interval, start, end - 1)).toBeNull();
  expect(findAwaited(interval, start, end + 5_000)).toBeNull();
  expect(findAwaited(undefined, start, end)).toBeNull();
  expect(findAwaited(interval, null, end)).toBeNull();
});

it('awaits the settled rate of a funding time that has passed, until it is there', () => {
  expect(findAwaited(interval, start, end + 7_000)).toBe(end);
  expect(findAwaited(interval, end, end + 7_000)).toBeNull();
  expect(findAwaited(interval, start - 1, start + 1)).toBe(start);
});

it('starts anew at each funding time, also where an earlier settled rate never came', () => {
  const never = 0;
  expect(findAwaited(interval, never, start + 1)).toBe(start);
  expect(findAwaited(interval, never, end + 7_000)).toBe(end);
});
