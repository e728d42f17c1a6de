import { describe, expect, it } from 'vitest';
import type { DeskStatus } from '#contract/desk/status.ts';
import { toRoundedOffset, toVenueTime } from './desk-status.ts';

function statusOf(clock_offset_ms: number | null) {
  return {
    value: { now: '2026-11-20T12:00:00Z', venue: { clock_offset_ms } } as unknown as DeskStatus,
    receivedAt: 5_000,
  };
}

describe('the venue’s clock', () => {
  it('is the desk’s clock plus its offset, whatever this browser’s clock says', () => {
    expect(toVenueTime(statusOf(-250), 8_000)).toBe(Date.parse('2026-11-20T12:00:02.750Z'));
    expect(toVenueTime(statusOf(7_200_000), 8_000)).toBe(Date.parse('2026-11-20T14:00:03Z'));
  });

  it('counts the seconds that a pushed status was old when it arrived', () => {
    expect(toVenueTime({ ...statusOf(0), ageSeconds: 4 }, 8_000)).toBe(Date.parse('2026-11-20T12:00:07Z'));
  });

  it('does not run backwards when this browser’s clock is set back', () => {
    expect(toVenueTime(statusOf(0), 1_000)).toBe(Date.parse('2026-11-20T12:00:00Z'));
  });

  it('is the desk’s before the venue’s first response, and this browser’s before the desk’s', () => {
    expect(toVenueTime(statusOf(null), 5_000)).toBe(Date.parse('2026-11-20T12:00:00Z'));
    expect(toVenueTime(undefined, 8_000)).toBe(8_000);
  });
});

it('the offset is rounded to the second that ages are shown in', () => {
  expect([-7_200_030, -7_199_980, null, 320, 280].map((offset) => toRoundedOffset(statusOf(offset)))).toEqual([
    -7_200_000, -7_200_000, 0, 0, 0,
  ]);
});
