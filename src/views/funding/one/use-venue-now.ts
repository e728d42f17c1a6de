import type { Answer } from '#api/answer.ts';
import type { DeskStatus } from '#contract/desk.ts';
import { useNow } from '#ui/time/use-now.tsx';

/** The venue's time, as far as the desk knows how its clock goes: an interval ends by that and no other. */
export function useVenueNow(status: Answer<DeskStatus> | undefined): number {
  const now = useNow();
  if (status === undefined) return now;
  const { now: deskNow, venue } = status.value;
  return Date.parse(deskNow) + (venue.clock_offset_ms ?? 0) + Math.max(0, now - status.receivedAt);
}
