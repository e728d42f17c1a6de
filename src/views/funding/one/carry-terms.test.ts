import { expect, test } from 'vitest';
import { createFundingSeries } from '#domain/funding/funding-series.ts';
import { toCarryStart, toCarryTerms, toCarryWindow } from './carry-terms.ts';
import type { OneData } from './one-data.ts';

const [begin, end] = ['2026-08-04T08:00', '2026-09-03T08:00'];

test('a stretch with only an end begins thirty days before it, and that is as far back as prints are needed', () => {
  expect(toCarryWindow(NaN, { from: '', to: end })).toEqual({ from: Date.parse(`${begin}Z`), to: Date.parse(`${end}Z`) });
  expect(toCarryStart({ from: '', to: end })).toBe(Date.parse(`${begin}Z`));
});

test('a stretch with a beginning needs prints since then, whatever its end', () => {
  for (const to of ['', end, 'soon']) expect(toCarryStart({ from: begin, to })).toBe(Date.parse(`${begin}Z`));
});

test('the last thirty days need nothing more, nor does what says no time', () => {
  expect(toCarryStart({ from: '', to: '' })).toBeNull();
  expect(toCarryStart({ from: 'soon', to: end })).toBeNull();
  expect(toCarryStart({ from: '', to: 'soon' })).toBeNull();
});

test('of what has not settled anything nothing is computed, rather than of a time long ago', () => {
  const series = createFundingSeries({ prints: [], knownFrom: null, reachesLaunch: true });
  const asked = { side: 'long', price: 'mark_price', contracts: '', from: '', to: '' } as const;
  expect(toCarryTerms({ series } as OneData, asked)).toMatchObject({ window: null, problem: 'No settled interval is known of it.' });
});
