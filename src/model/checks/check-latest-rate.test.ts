import { expect, it } from 'vitest';
import { fundingTimeAt, printAt, toWirePrints } from '#testing/funding-prints.ts';
import { findOtherLatestRate } from './check-latest-rate.ts';

const history = toWirePrints([printAt(1, '0.0001'), printAt(0, '-0.00025')]);
const latestOf = (at: number, rate: string) => toWirePrints([printAt(at, rate)])[0];

it('the latest rate is that of the history, whatever its digits', () => {
  expect(findOtherLatestRate(latestOf(1, '1.00e-4'), history)).toBeNull();
  expect(findOtherLatestRate(latestOf(0, '-0.000250'), history)).toBeNull();
});

it('another sign or another unit is found', () => {
  expect(findOtherLatestRate(latestOf(1, '-0.0001'), history)).toMatchObject({ settledAt: fundingTimeAt(2) });
  const found = findOtherLatestRate(latestOf(0, '-0.025'), history);
  expect([found?.latest, found?.ofHistory].map(String)).toEqual(['-0.025', '-0.00025']);
});

it('a rate that one of them does not have is not compared', () => {
  expect(findOtherLatestRate(latestOf(2, '0.0001'), history)).toBeNull();
  expect(findOtherLatestRate(undefined, history)).toBeNull();
});
