import { expect, it } from 'vitest';
import type { MarketRow } from '../../markets/market-rows.ts';
import { describeTermFilter, formatDayRange, toDayRange, toTermTest } from './term-filter.ts';

const rows = [
  { symbol: 'perpetual', type: 'perpetual', final_settle_time: '2026-12-01T22:00:00Z' },
  { symbol: 'unknown' },
  { symbol: 'past', final_settle_time: '2026-11-24T22:00:00Z' },
  { symbol: 'today', final_settle_time: '2026-11-25T22:00:00Z' },
  { symbol: 'call', final_settle_time: '2026-12-02T22:00:00Z', option_type: 'call' },
  { symbol: 'put', final_settle_time: '2026-12-25T22:00:00Z', option_type: 'PUT' },
].map((product) => ({ product }) as unknown as MarketRow);

const found = (expires: string, right: string): readonly (string | undefined)[] => {
  const test = toTermTest({ expires, right }, Date.parse('2026-11-25T12:00:00Z'));
  return rows.filter((row) => test?.(row) !== false).map(({ product }) => product.symbol);
};
const ALL = rows.map(({ product }) => product.symbol);

it.each([
  ['7d', '', ['today', 'call']],
  ['30d', '', ['today', 'call', 'put']],
  ['30d', 'put', ['put']],
  ['', 'call', ['call']],
  ['2026-12-01..2026-12-24', '', ['call']],
  ['2026-12-25..', '', ['put']],
  ['..2026-11-25', '', ['past', 'today']],
  ['', '', ALL],
  ['soon', 'toString', ALL],
  ['2026-02-31..2026-13-01', '', ALL],
  ['..', '', ALL],
])('expires %s, right %s', (expires, right, symbols) => {
  expect(found(expires, right)).toEqual(symbols);
});

it.each([
  ['', '', null],
  ['soon', 'swap', null],
  ['7d', '', 'expires within 7 days'],
  ['1d', 'call', 'expires within 1 day, calls'],
  ['', 'put', 'puts'],
  ['2026-12-01..2026-12-24', '', 'expires 1 Dec 2026 to 24 Dec 2026'],
  ['2026-12-01..2026-12-01', '', 'expires on 1 Dec 2026'],
  ['2026-12-01..', '', 'expires from 1 Dec 2026'],
  ['..2026-12-24', '', 'expires by 24 Dec 2026'],
])('expires %s, right %s is described as %s', (expires, right, words) => {
  expect(describeTermFilter({ expires, right })).toBe(words);
});

it('a range is written as it is read', () => {
  for (const text of ['2026-12-01..2026-12-24', '2026-12-01..', '..2026-12-24'])
    expect(formatDayRange(toDayRange(text) ?? { from: null, to: null })).toBe(text);
  expect(formatDayRange({ from: null, to: null })).toBe('');
});
