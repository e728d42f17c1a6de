import { expect, it } from 'vitest';
import type { DeskJournalActivity } from '#contract/desk/journal-activity.ts';
import { findPeak } from './peak.ts';

function peakOf(buckets: readonly object[]) {
  return findPeak({ buckets: buckets as DeskJournalActivity['buckets'], bucket_seconds: 60 }, 'utc');
}

it('names the most changes in one interval', () => {
  const buckets = [
    { from: '2026-11-26T12:05:00Z', seen: 0, changed: 1, gone: 0 },
    { from: '2026-11-26T12:07:00Z', seen: 1, changed: 2, gone: 0 },
  ];
  expect(peakOf(buckets)).toEqual({
    most: 3,
    caption: '3 in 1 min',
    sentence: expect.stringMatching(/^at most 3 changes in 1 min, from 2026-11-26 12:07/) as string,
  });
});

it('says where there were none', () => {
  expect(peakOf([])).toMatchObject({ caption: 'No changes', sentence: 'no changes' });
});
