import { expect, test } from 'vitest';
import { createFundingSeries } from '../../funding/funding-series.ts';
import { toCarrySide, toCarryStart, toCarryTerms, toCarryWindow, toNotional } from './carry.ts';
import type { PerpetualData } from './perpetual-data.ts';

const [begin, end] = ['2026-08-04T08:00', '2026-09-03T08:00'];

test('a period with only an end starts 30 days before it, and needs settled rates from there', () => {
  expect(toCarryWindow(NaN, { from: '', to: end })).toEqual({
    from: Date.parse(`${begin}Z`),
    to: Date.parse(`${end}Z`),
  });
  expect(toCarryStart({ from: '', to: end })).toBe(Date.parse(`${begin}Z`));
});

test('a period with a start needs settled rates since then, whatever its end', () => {
  for (const to of ['', end, 'soon']) expect(toCarryStart({ from: begin, to })).toBe(Date.parse(`${begin}Z`));
});

test('now is the newest funding time, as an empty end is, and a day as the end is included as a whole', () => {
  const now = Date.parse('2026-09-03T08:00Z');
  for (const to of ['', 'now', 'Now']) expect(toCarryWindow(now, { from: begin, to }).to).toBe(now);
  expect(toCarryWindow(now, { from: '2026-07-08', to: '2026-07-17' })).toEqual({
    from: Date.parse('2026-07-08T00:00Z'),
    to: Date.parse('2026-07-18T00:00Z'),
  });
});

test('the last 30 days and unreadable times need no earlier settled rates', () => {
  expect(toCarryStart({ from: '', to: '' })).toBeNull();
  expect(toCarryStart({ from: 'soon', to: end })).toBeNull();
  expect(toCarryStart({ from: '', to: 'soon' })).toBeNull();
});

test('without any settled rate the carry is refused, not computed for a period in 1970', () => {
  const series = createFundingSeries({ prints: [], knownFrom: null, reachesLaunch: true });
  const input = { side: 'long', price: 'mark_price', size: '', contracts: '', notional: '', from: '', to: '' } as const;
  expect(toCarryTerms({ series } as PerpetualData, input)).toMatchObject({
    window: null,
    problem: 'No settled rate yet.',
  });
});

test('the position is that of the sign convention unless another was chosen', () => {
  expect((['market', 'long', 'short'] as const).map((convention) => toCarrySide('', convention))).toEqual([
    'long',
    'long',
    'short',
  ]);
  expect([toCarrySide('long', 'short'), toCarrySide('short', 'long')]).toEqual(['long', 'short']);
});

test('a notional is read with thousands and millions, and not with a decimal comma or a part of a cent', () => {
  expect(['', '250,000', '250k', '1m', '1.25 M', '0.5'].map((text) => toNotional(text)?.toFixed())).toEqual([
    ...['10000', '250000', '250000', '1000000', '1250000', '0.5'],
  ]);
  for (const text of ['0', '0k', 'k', '1,5', '1,5m', '-1', '0.001', '1e9', '2 bn']) expect(toNotional(text)).toBeNull();
});
