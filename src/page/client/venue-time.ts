import type { DeskStatus } from '#contract/desk/desk.ts';
import type { Sourced } from '#model/source.ts';

export type ReceivedStatus = Pick<Sourced<DeskStatus>, 'value' | 'receivedAt'> &
  Partial<Pick<Sourced<DeskStatus>, 'ageSeconds'>>;

/** The venue's time at a browser time, by the desk's offset to the venue; the browser's own before the first status. */
export function toVenueTime(status: ReceivedStatus | undefined, browserNow: number): number {
  if (status === undefined) return browserNow;
  return toDeskTime(status) + offsetOf(status) + Math.max(0, browserNow - status.receivedAt);
}

/** The desk's time when the browser received its status: one that is pushed may be a few seconds old by then. */
export function toDeskTime({ value, ageSeconds }: ReceivedStatus): number {
  return Date.parse(value.now) + (ageSeconds ?? 0) * 1_000;
}

/** How far the venue's clock is ahead of the desk's, in milliseconds, rounded to the second that ages are shown in. */
export function toRoundedOffset(status: ReceivedStatus): number {
  return Math.round(offsetOf(status) / 1_000) * 1_000;
}

function offsetOf({ value: { venue } }: ReceivedStatus): number {
  return venue.clock_offset_ms ?? 0;
}
