import type { DeskStatus } from '#contract/desk.ts';
import type { Answer } from './answer.ts';

export type KnownStatus = Answer<DeskStatus>;

/**
 * The venue's clock, at a moment of this browser's: through the desk's, since only that one has asked the venue. Without
 * word of it, this browser's.
 */
export function venueTimeAt(status: KnownStatus | undefined, now: number): number {
  if (status === undefined) return now;
  const { value, receivedAt } = status;
  return Date.parse(value.now) + (value.venue.clock_offset_ms ?? 0) + Math.max(0, now - receivedAt);
}
