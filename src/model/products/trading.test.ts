import { expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import { findTrading, formatOpening } from './trading.ts';

const future = {
  type: 'future',
  daily_open_time: '19:00:00',
  daily_settle_time: '16:00:00',
  final_settle_time: '2026-12-25T22:00:00Z' as Instant,
} as const;
const perpetual = { type: 'perpetual', daily_open_time: '16:00:00', daily_settle_time: '16:00:00' } as const;

function opening(product: Parameters<typeof findTrading>[0], at: string): string {
  const trading = findTrading(product, Date.parse(at));
  if (trading === null) return 'unknown';
  if (trading.isOpen) return 'open';
  return trading.opensAt === null ? 'never' : formatOpening(trading.opensAt);
}

it.each([
  ['in winter, to the last millisecond', '2026-11-27T21:59:59.999Z', 'open'],
  ['over a weekend', '2026-11-27T22:00:00Z', 'Mon 01:00'],
  ['on a Saturday', '2026-11-28T13:32:00Z', 'Mon 01:00'],
  ['until it opens', '2026-11-30T00:59:59.999Z', 'Mon 01:00'],
  ['once it has opened', '2026-11-30T01:00:00Z', 'open'],
  ['between two sessions', '2026-12-01T23:00:00Z', 'Wed 01:00'],
  ['in summer', '2026-07-03T21:00:00Z', 'Mon 00:00'],
  ['over the end of summer time', '2026-10-31T12:00:00Z', 'Mon 01:00'],
  ['over the begin of summer time', '2026-03-07T12:00:00Z', 'Mon 00:00'],
])('a dated contract closed %s says when it opens', (_, at, expected) => {
  expect(opening(future, at)).toBe(expected);
});

it('a contract that has settled for the last time does not open again, nor one whose last session is over', () => {
  expect(opening(future, '2026-12-25T22:00:00Z')).toBe('never');
  expect(opening({ ...future, final_settle_time: '2026-11-27T22:30:00Z' as Instant }, '2026-11-27T22:10:00Z')).toBe(
    'never',
  );
});

it('a perpetual never closes, and of a product without published times it is unknown', () => {
  expect(opening(perpetual, '2026-11-28T13:32:00Z')).toBe('open');
  expect(opening(perpetual, '2026-11-28T22:00:00Z')).toBe('open');
  expect(opening({ type: 'future' }, '2026-11-28T13:32:00Z')).toBe('unknown');
});

it('a session that opens and settles on one day is closed at night', () => {
  const daily = { ...future, daily_open_time: '08:30:00' };
  expect(opening(daily, '2026-12-01T14:29:00Z')).toBe('Tue 14:30');
  expect(opening(daily, '2026-12-01T14:30:00Z')).toBe('open');
});
