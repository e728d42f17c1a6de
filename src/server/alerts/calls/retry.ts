import type { Outcome } from './outbox.ts';
import type { SendResult } from './send-result.ts';

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 3_600_000;
/** By how much of itself a wait varies, so that many desks do not all come back at once. */
const JITTER = 0.2;
/** After that, a call is given up. */
export const LONGEST_MS = 86_400_000;
/** A call that is rejected as such is repeated a few times, in case the receiver is at fault. */
const MOST_REFUSALS = 3;

export interface Decision {
  readonly outcome: Outcome;
  readonly reason: string;
  /** When the call is sent again; null: never. */
  readonly nextAt: number | null;
}

export interface Attempted {
  readonly madeAt: number;
  /** This one included. */
  readonly attempts: number;
}

/** What becomes of a call after an attempt. `random` is at least 0 and less than 1. */
export function decide(
  { outcome, reason, retryAfterMs }: SendResult,
  { madeAt, attempts }: Attempted,
  now: number,
  random: number,
): Decision {
  if (outcome === 'delivered') return { outcome, reason, nextAt: null };
  // The channel has ended; the call waits for it to be enabled again.
  if (outcome === 'gone') return { outcome: 'ended', reason, nextAt: now };
  if (outcome === 'refused' && attempts >= MOST_REFUSALS) {
    return {
      outcome: 'given up',
      reason: `${reason} Given up after ${String(attempts)} attempts, so that later calls are delivered.`,
      nextAt: null,
    };
  }
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS) * (1 + JITTER * (2 * random - 1));
  const endsAt = madeAt + LONGEST_MS;
  if (now >= endsAt) return { outcome: 'given up', reason: `${reason} Given up after a day.`, nextAt: null };
  // The last attempt is made at the end of the day, also where the receiver wants to be left alone for longer.
  return { outcome: 'failed', reason, nextAt: Math.min(now + Math.round(Math.max(wait, retryAfterMs ?? 0)), endsAt) };
}
