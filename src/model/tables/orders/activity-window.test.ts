import { expect, it, test } from 'vitest';
import { type DeskJournalActivity, MAX_ACTIVITY_BUCKETS } from '#contract/desk/journal.ts';
import { type ChosenWindow, findPeak, toTimeSpan } from './activity-window.ts';
import type { Instant } from '#contract/exchange/instant.ts';

function peakOf(buckets: readonly object[]) {
  return findPeak({ buckets: buckets as DeskJournalActivity['buckets'], bucket_seconds: 60 }, 'utc');
}

it('names the most changes in one interval', () => {
  const buckets = [
    { from: '2026-11-26T12:05:00Z', seen: 0, passed: 0, changed: 1, gone: 0 },
    { from: '2026-11-26T12:07:00Z', seen: 1, passed: 1, changed: 1, gone: 0 },
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

const now = Date.parse('2026-11-26T13:07:31Z');

function spanOf(name: ChosenWindow['name'], texts: Partial<ChosenWindow> = {}, keptFrom: string | null = null) {
  return toTimeSpan({ name, from: '', to: '', ...texts }, now, keptFrom as Instant | null);
}

test('a window ends now, and begins at a whole minute, or later than that of a long one', () => {
  expect(spanOf('1h')).toEqual({ begin_time: '2026-11-26T12:07:00.000Z', bucket_seconds: 60 });
  expect(spanOf('24h').begin_time).toBe('2026-11-25T13:05:00.000Z');
  expect(spanOf('7d').begin_time).toBe('2026-11-19T13:00:00.000Z');
});

test('a range is as its texts say, in no more buckets than a chart has room for', () => {
  expect(spanOf('range', { from: '2026-11-26T10:00:00Z', to: '2026-11-26T12:00:00Z' })).toEqual({
    begin_time: '2026-11-26T10:00:00Z',
    end_time: '2026-11-26T12:00:00Z',
    bucket_seconds: 60,
  });
  expect(spanOf('range', { from: '2026-11-20T12:00:00Z', to: '2026-11-26T12:00:00Z' }).bucket_seconds).toBe(2_880);
  expect(spanOf('range', { from: '1 h ago' }).begin_time).toBe('2026-11-26T12:07:00.000000000Z');
});

test.each([
  ['with an end weeks ago', '2026-08-01T00:00:00Z', '2026-11-01T00:00:00Z'],
  ['without one', '2026-08-01T00:00:00Z', ''],
  ['while it is not known where the journal begins', null, ''],
])('a range without a beginning, %s, is as long as the journal, in as few buckets', (_, keptFrom, to) => {
  const span = spanOf('range', { to }, keptFrom);
  expect(span).not.toHaveProperty('begin_time');
  const end = to === '' ? now : Date.parse(to);
  expect((end - Date.parse('2026-08-01T00:00:00Z')) / 1_000 / span.bucket_seconds).toBeLessThanOrEqual(
    keptFrom === null ? MAX_ACTIVITY_BUCKETS : 180,
  );
});
