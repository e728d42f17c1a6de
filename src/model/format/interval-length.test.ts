import { expect, test } from 'vitest';
import { toWirePrints } from '#testing/funding-prints.ts';
import { formatIntervalLength } from './interval-length.ts';

const START = '2026-06-01T00:00:00Z';

test.each([
  ['2026-06-01T04:00:00Z', '4 h'],
  ['2026-06-01T08:30:00Z', '8 h 30 min'],
  ['2026-06-01T08:00:10Z', '8 h 10 s'],
  ['2026-06-01T08:00:00.000000001Z', '8 h 0.000000001 s'],
  ['2026-06-01T07:59:59.5Z', '7 h 59 min 59.5 s'],
  ['2026-06-01T00:00:00Z', '0 h'],
  ['2026-05-31T23:00:00Z', '−1 h'],
])('the length of an interval until %s is %s', (end, length) => {
  expect(formatIntervalLength({ prints: toWirePrints([{ start: START, end, rate: '0.1' }]) })).toBe(length);
});
