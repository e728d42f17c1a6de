import { VenueFailure } from '../venue-failure.ts';

/** The exchange failed rather than rejected: a retry may succeed. */
export class TransientFailure extends VenueFailure {}

/** More than any response of the interface, and little enough to hold in memory. */
export const MAX_BODY_BYTES = 64 * 1_024 * 1_024;

export function unreadable(detail: string, cause?: unknown): TransientFailure {
  return new TransientFailure({ type: 'venue-answer-unreadable', detail: `The exchange’s response ${detail}.` }, cause);
}

/** Not transient: a retry would be as large. */
export function tooLarge(limit = MAX_BODY_BYTES): VenueFailure {
  const detail = `The exchange’s response is larger than ${String(Math.floor(limit / 1_048_576))} MB.`;
  return new VenueFailure({ type: 'venue-answer-unreadable', detail });
}
