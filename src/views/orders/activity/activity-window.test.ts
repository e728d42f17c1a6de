import { expect, test } from 'vitest';
import { toTimeSpan } from './activity-window.ts';

const now = Date.parse('2026-11-26T13:07:31Z');
const none = { from: '', to: '' };

test('a window ends now, and begins at a whole minute, or later than that of a long one', () => {
  expect(toTimeSpan('1h', none, now)).toEqual({ begin_time: '2026-11-26T12:07:00.000Z', bucket_seconds: 60 });
  expect(toTimeSpan('24h', none, now).begin_time).toBe('2026-11-25T13:05:00.000Z');
  expect(toTimeSpan('7d', none, now).begin_time).toBe('2026-11-19T13:00:00.000Z');
});

test('a range is as its texts say, in no more buckets than a chart has room for', () => {
  expect(toTimeSpan('range', { from: '2026-11-26T10:00:00Z', to: '2026-11-26T12:00:00Z' }, now)).toEqual({ begin_time: '2026-11-26T10:00:00Z', end_time: '2026-11-26T12:00:00Z', bucket_seconds: 60 });
  expect(toTimeSpan('range', { from: '2026-11-20T12:00:00Z', to: '2026-11-26T12:00:00Z' }, now).bucket_seconds).toBe(2_880);
  expect(toTimeSpan('range', none, now)).toEqual({ bucket_seconds: 3_360 });
});
