import { expect, test } from 'vitest';
import type { DeskJournalActivity } from '#contract/desk/journal.ts';
import { describeCoverage, formatPause } from './coverage.ts';

const at = (time: string) => `2026-11-26T${time}Z` as NonNullable<DeskJournalActivity['from']>;
const read = {
  from: at('13:00:00'),
  to: at('14:00:00'),
  readings: 226,
  longest_seconds: 29.4,
  unread_seconds: 0,
  gaps: [],
  history_to: at('13:59:30'),
};
const gap = { from: at('13:46:01'), to: at('13:47:14.2'), cause: 'exchange' } as const;

test('coverage says how long nothing was read at most and why, never rounded down', () => {
  expect(describeCoverage(read, 'utc')).toBe(
    '2026-11-26 13:00 to 14:00 UTC; read 226 times, longest pause 30 s; no gaps',
  );
  expect(describeCoverage({ ...read, unread_seconds: 73.2, gaps: [gap] }, 'utc')).toBe(
    '2026-11-26 13:00 to 14:00 UTC; read 226 times, ' +
      'longest pause 74 s (exchange unreachable 13:46:01 to 13:47:14 UTC)',
  );
  const short = { from: at('13:20:00'), to: at('13:20:06'), cause: null };
  expect(describeCoverage({ ...read, unread_seconds: 79.2, gaps: [short, gap] }, 'utc')).toMatch(
    /longest pause 74 s \(exchange unreachable .*\); 2 gaps, together 80 s$/,
  );
  expect(describeCoverage({ ...read, unread_seconds: 6, gaps: [short] }, 'utc')).toMatch(
    /longest pause 30 s; 1 gap of 6 s$/,
  );
  expect(describeCoverage({ ...read, readings: 1, longest_seconds: null }, 'utc')).toBe(
    '2026-11-26 13:00 to 14:00 UTC; read once; no gaps',
  );
  expect(describeCoverage({ ...read, from: null, to: null }, 'utc')).toBeNull();
});

test('coverage says since when orders that came and went between two readings are missing', () => {
  expect(describeCoverage({ ...read, history_to: at('13:56:59') }, 'utc')).toMatch(
    /order history read until 2026-11-26 13:56:59: without orders that came and went between two readings since then$/,
  );
  expect(describeCoverage({ ...read, history_to: at('13:56:59'), longest_seconds: 61 }, 'utc')).toMatch(/no gaps$/);
  expect(describeCoverage({ ...read, history_to: null }, 'utc')).toMatch(
    /order history not read: without orders that came and went between two readings$/,
  );
});

test.each([
  [0.2, '1 s'],
  [73.6, '74 s'],
  [600, '600 s'],
  [601, '11 min'],
  [7_141, '2 h 00 min'],
])('a pause of %d s is %s', (seconds, text) => {
  expect(formatPause(seconds)).toBe(text);
});
