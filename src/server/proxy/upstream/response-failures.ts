import { VenueFailure } from '#server/core/venue-failure.ts';

/** The exchange failed rather than rejected: a retry may succeed. */
export class TransientFailure extends VenueFailure {}

/** Over three times the largest response of the interface, 10,000 working orders. */
export const MAX_BODY_BYTES = 16 * 1_024 * 1_024;

export function unreadable(detail: string, cause?: unknown): TransientFailure {
  return new TransientFailure({ type: 'venue-answer-unreadable', detail: `The exchange’s response ${detail}.` }, cause);
}

/** Not transient: a retry would be as large. */
export function tooLarge(limit = MAX_BODY_BYTES): VenueFailure {
  const detail = `The exchange’s response is larger than ${String(Math.floor(limit / 1_048_576))} MB.`;
  return new VenueFailure({ type: 'venue-answer-unreadable', detail });
}
