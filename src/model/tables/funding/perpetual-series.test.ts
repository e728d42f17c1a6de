import { expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import type { Source } from '../../response.ts';
import { type PerpetualSeries, withOldestRead, withReadTime } from '../../funding/funding-series.ts';

const source = {
  endpoint: 'desk/funding',
  target: '/api/desk/funding',
  respondedAt: null,
  receivedAt: Date.parse('2026-06-02T08:00:30.900Z'),
  ageSeconds: null,
} as unknown as Source;

it('takes the time and age of settled rates from the reading of their perpetual', () => {
  expect(withReadTime(source, '2026-06-02T08:00:06Z' as Instant)).toEqual({
    ...source,
    respondedAt: '2026-06-02T08:00:06Z',
    ageSeconds: 24,
  });
});

it('is as old as its reading, although the response was composed just now', () => {
  expect(withReadTime({ ...source, ageSeconds: 0 }, '2026-06-02T07:53:25Z' as Instant).ageSeconds).toBe(425);
});

it('has no negative age where clocks differ', () => {
  expect(withReadTime(source, '2026-06-02T08:01:00Z' as Instant).ageSeconds).toBe(0);
});

it('keeps the time of a response that has one, and none where nothing was read', () => {
  const responded = { ...source, respondedAt: '2026-06-02T08:00:00Z' as Instant, ageSeconds: 3 };
  expect(withReadTime(responded, '2026-06-02T08:00:06Z' as Instant)).toBe(responded);
  expect(withReadTime(source, null)).toBe(source);
});

it('takes the time of several perpetuals from the one read longest ago', () => {
  const readAt = (...times: readonly (string | null)[]) =>
    times.map((read_at) => ({ row: { read_at } })) as unknown as readonly PerpetualSeries[];
  expect(withOldestRead(source, readAt('2026-06-02T08:00:06Z', '2026-06-02T07:59:00Z', null)).respondedAt).toBe(
    '2026-06-02T07:59:00Z',
  );
  expect(withOldestRead(source, readAt(null))).toBe(source);
});
