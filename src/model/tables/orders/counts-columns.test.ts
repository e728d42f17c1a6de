import { expect, test } from 'vitest';
import type { DeskJournalActivity } from '#contract/desk/journal.ts';
import { describeCoverage } from './counts-columns.ts';

const at = (time: string) => `2026-11-26T${time}Z` as NonNullable<DeskJournalActivity['from']>;
const read = {
  from: at('13:00:00'),
  to: at('14:00:00'),
  readings: 118,
  longest_seconds: 29.4,
  unread_seconds: 0,
  gaps: [],
};

test('coverage says what time it is of, how often it was read, and what was not', () => {
  expect(describeCoverage(read, 'utc')).toBe(
    '2026-11-26 13:00 to 14:00 UTC; read 118 times, at most 30 s apart; no gaps',
  );
  const gap = { from: at('13:20:00'), to: at('13:24:00') };
  expect(describeCoverage({ ...read, unread_seconds: 240, gaps: [gap] }, 'utc')).toMatch(
    /; 4 min not read \(gap 2026-11-26 13:20 to 13:24\)$/,
  );
  expect(
    describeCoverage(
      { ...read, unread_seconds: 250, gaps: [{ from: at('13:00:00'), to: at('13:00:10') }, gap] },
      'utc',
    ),
  ).toMatch(/\(2 gaps, the longest 2026-11-26 13:20 to 13:24\)$/);
  expect(describeCoverage({ ...read, readings: 1, longest_seconds: null }, 'utc')).toBe(
    '2026-11-26 13:00 to 14:00 UTC; read once; no gaps',
  );
  expect(describeCoverage({ ...read, from: null, to: null }, 'utc')).toBeNull();
});
