import { VenueFailure } from '../ports.ts';
import { PassingFailure } from './passing-failure.ts';

/** More than any answer of the interface, and little enough to hold. */
export const LARGEST_BODY = 64 * 1_024 * 1_024;

/** Another try may bring it whole. */
export function unreadable(detail: string, cause?: unknown): PassingFailure {
  return new PassingFailure({ type: 'venue-answer-unreadable', detail: `The venue’s answer ${detail}.` }, cause);
}

/** Another try would bring as much again. */
export function tooLarge(limit = LARGEST_BODY): VenueFailure {
  const detail = `The venue’s answer is larger than ${String(Math.floor(limit / 1_048_576))} MB.`;
  return new VenueFailure({ type: 'venue-answer-unreadable', detail });
}
