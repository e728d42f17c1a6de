import { expect, it } from 'vitest';
import { parseKeepingDigits } from '#contract/parse/json-text.ts';
import type { Estimate } from '#model/funding/estimate.ts';
import { toPredictedSpread } from './spread-chart.tsx';

function estimate(rate: string, changes: { readonly notCurrent?: string; readonly end?: string } = {}): Estimate {
  const { notCurrent = null, end = '2026-06-01T08:00:00Z' } = changes;
  return {
    value: parseKeepingDigits(`{"funding_rate":${rate},"interval_end":"${end}"}`),
    notCurrent,
    respondedAt: null,
  } as Estimate;
}

it('is what the short leg receives less what the long leg pays', () => {
  expect(toPredictedSpread(estimate('-0.0008'), estimate('0.0001'))?.value?.toFixed()).toBe('0.0009');
  expect(toPredictedSpread(estimate('0.0001'), estimate('-0.0008'))?.value?.toFixed()).toBe('-0.0009');
});

it('needs two current predicted rates of one interval', () => {
  expect(toPredictedSpread(undefined, estimate('0.0001'))).toBeNull();
  expect(toPredictedSpread(estimate('0.0001'), estimate('0.0001', { notCurrent: 'old' }))).toBeNull();
  expect(toPredictedSpread(estimate('0.0001'), estimate('0.0001', { end: '2026-06-01T16:00:00Z' }))).toBeNull();
});
