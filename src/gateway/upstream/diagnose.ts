import { SIGNATURE_WINDOW_MS } from '#contract/signing.ts';
import type { Ledger, Problem } from '../ports.ts';
import { USUAL_PAUSE_SECONDS } from './judge-status.ts';
import { single } from './take-whole.ts';
import type { Received } from './transport.ts';

/** A refusal that may be about the budget, the clock or the key. */
export interface Refused {
  readonly received: Received;
  /** What the request was signed with; null where it was not. */
  readonly timestamp: string | null;
  /** What a signed question of our own that is always allowed is answered, and what a public one. */
  readonly statusOfSelfTest: () => Promise<number>;
  readonly statusOfPublic: () => Promise<number>;
}

/** Says why the venue answered 401 or 403: it uses 403 for too many requests, and both for a key or a clock at fault. */
export async function diagnose(ledger: Ledger, refused: Refused): Promise<Problem> {
  const { received, timestamp } = refused;
  const { limit, used } = ledger.state();
  if (received.status === 403 && limit !== null && used >= limit.requests - limit.reserve) return budgetSpent('ours');
  const skew = timestamp === null ? null : skewOf(received, timestamp);
  if (skew !== null && Math.abs(skew) > SIGNATURE_WINDOW_MS * 0.9) return clockSkew(skew);
  if (timestamp === null) return budgetSpent('theirs');
  if (received.status === 403 && (await refused.statusOfPublic()) === 403) return budgetSpent('theirs');
  if ((await refused.statusOfSelfTest()) === 200) return notAllowed;
  return keyRefused;
}

function skewOf({ headers }: Received, timestamp: string): number | null {
  const skew = Date.parse(single(headers, 'date') ?? '') - Date.parse(timestamp);
  return Number.isNaN(skew) ? null : skew;
}

function budgetSpent(whose: 'ours' | 'theirs'): Problem {
  const who = whose === 'ours' ? 'The venue’s request budget is spent.' : 'The venue says that too much was asked, though not by this desk: another program uses the same address.';
  return { type: 'budget-spent', detail: `${who} It is asked again in ${String(USUAL_PAUSE_SECONDS)} s.`, retryAfterSeconds: USUAL_PAUSE_SECONDS };
}

function clockSkew(skewMs: number): Problem {
  const seconds = String(Math.abs(Math.round(skewMs / 1_000)));
  const direction = skewMs > 0 ? 'behind' : 'ahead of';
  return { type: 'clock-skew', detail: `What was signed is ${seconds} s ${direction} the venue’s clock; set this machine’s clock (for example by NTP).` };
}

const keyRefused: Problem = {
  type: 'key-refused',
  detail: 'The venue refuses the key: check DESK_CONNECTION_ID and DESK_AUTH_TOKEN, and that they are of this venue and environment.',
};

const notAllowed: Problem = {
  type: 'key-refused',
  detail: 'The key is good, but this connection may not ask this question.',
};
