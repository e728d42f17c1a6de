import type { DeskStatus } from '#contract/desk.ts';
import type { Sourced } from '#domain/source.ts';

/** What the desk last said of itself; it alone has asked the venue for the time. */
export type KnownStatus = Pick<Sourced<DeskStatus>, 'value' | 'receivedAt'>;

/** The venue's clock, at a moment of this browser's: through the desk's. Without word of it, this browser's. */
export function toVenueTime(status: KnownStatus | undefined, browserNow: number): number {
  if (status === undefined) return browserNow;
  return Date.parse(status.value.now) + aheadOf(status) + Math.max(0, browserNow - status.receivedAt);
}

/** How far the venue's clock is ahead of the desk's, in milliseconds, to the second that ages are told in. */
export function toWholeAhead(status: KnownStatus): number {
  return Math.round(aheadOf(status) / 1_000) * 1_000;
}

function aheadOf({ value: { venue } }: KnownStatus): number {
  return venue.clock_offset_ms ?? 0;
}
