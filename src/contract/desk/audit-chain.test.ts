import { expect, test } from 'vitest';
import { describeUncleanStops } from './audit-chain.ts';

const minute = (n: number): string => `2026-11-28T13:0${String(n)}:59.123Z`;

test.each([
  [0, null],
  [
    1,
    'Before the start at 2026-11-28 13:01 UTC, Perpdesk did not end cleanly: up to a minute of repeated reads may not have been recorded.',
  ],
  [
    2,
    'Before 2 starts, at 2026-11-28 13:01 UTC, 2026-11-28 13:02 UTC, Perpdesk did not end cleanly: up to a minute of repeated reads may not have been recorded each time.',
  ],
  [
    7,
    'Before 7 starts, the last ones at 2026-11-28 13:03 UTC, 2026-11-28 13:04 UTC, 2026-11-28 13:05 UTC, 2026-11-28 13:06 UTC, 2026-11-28 13:07 UTC, Perpdesk did not end cleanly: up to a minute of repeated reads may not have been recorded each time.',
  ],
])('after %i unclean stops it is said what may be missing', (count, sentence) => {
  expect(describeUncleanStops(Array.from({ length: count }, (_, n) => minute(n + 1)))).toBe(sentence);
});
