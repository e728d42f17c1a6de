import { describe, expect, it } from 'vitest';
import { venueTimeAt, type KnownStatus } from './venue-time.ts';

const statusOf = (clock_offset_ms: number | null) => ({ value: { now: '2026-11-20T12:00:00Z', venue: { clock_offset_ms } }, receivedAt: 5_000 }) as unknown as KnownStatus;

describe('the venue’s clock', () => {
  it('is told through the desk’s, whatever this browser’s says', () => {
    expect(venueTimeAt(statusOf(-250), 8_000)).toBe(Date.parse('2026-11-20T12:00:02.750Z'));
  });

  it('does not run backwards when this browser’s clock is set back', () => {
    expect(venueTimeAt(statusOf(null), 1_000)).toBe(Date.parse('2026-11-20T12:00:00Z'));
  });

  it('is this browser’s where the desk has said nothing', () => {
    expect(venueTimeAt(undefined, 1_000)).toBe(1_000);
  });
});
