import { SIGNATURE_WINDOW_MS } from '#contract/signing.ts';
import { VenueFailure, type Ledger, type Problem } from '../ports.ts';
import { hint } from './answer-headers.ts';
import { USUAL_PAUSE_SECONDS } from './judge-status.ts';
import type { Received } from './exchange.ts';

/** A refusal that may be about the budget, the clock or the key. */
export interface Refused {
  readonly received: Received;
  /** What the request was signed with; null where it was not. */
  readonly timestamp: string | null;
  /** What a signed question of our own that is always allowed is answered, and what a public one of another kind. */
  readonly statusOfSelfTest: () => Promise<number>;
  readonly statusOfPublic: () => Promise<number>;
  /** What the very same question is answered now. */
  readonly statusOfSame: () => Promise<number>;
}

/** Says why the venue answered 401 or 403: it uses 403 for too many requests, and both for a key or a clock at fault. */
export async function diagnose(ledger: Pick<Ledger, 'state'>, refused: Refused): Promise<Problem> {
  const { received, timestamp } = refused;
  const { limit, used } = ledger.state();
  const isAboutBudget = received.status === 403;
  if (isAboutBudget && limit !== null && used >= limit.requests) return budgetSpent('ours');
  if (timestamp === null) return isAboutBudget ? judgeOpen(await orNull(refused.statusOfPublic)) : keyWanted;
  const skew = skewOf(received, timestamp);
  if (skew !== null && Math.abs(skew) > SIGNATURE_WINDOW_MS * 0.9) return clockSkew(skew);
  return isAboutBudget ? judgeForbidden(refused) : judgeTest(await orNull(refused.statusOfSelfTest), received.status);
}

/** A 403 is about the budget where a question without a key is refused too, or where the very same is answered a moment later. */
async function judgeForbidden(refused: Refused): Promise<Problem> {
  const open = await orNull(refused.statusOfPublic);
  if (open === 403) return budgetSpent('theirs');
  const tested = open === null ? null : await orNull(refused.statusOfSelfTest);
  const isPassing = tested === 200 && (await orNull(refused.statusOfSame)) === 200;
  return isPassing ? budgetSpent('theirs') : judgeTest(tested, 403);
}

/** What needs no key is refused for the budget, as long as nothing else is answered. */
function judgeOpen(open: number | null): Problem {
  return open === 200 ? notOffered : budgetSpent('theirs');
}

/** Only a refusal of what is always allowed speaks against the key: whatever else it is answered is not about it. */
function judgeTest(tested: number | null, status: number): Problem {
  if (tested === 200) return notAllowed;
  return tested === 401 || tested === 403 ? keyRefused : notTested(status);
}

/** A test that came to nothing proves nothing; what it failed by is not what was asked. */
async function orNull(test: () => Promise<number>): Promise<number | null> {
  try {
    return await test();
  } catch (error) {
    if (error instanceof VenueFailure) return null;
    throw error;
  }
}

function skewOf({ headers }: Received, timestamp: string): number | null {
  const skew = Date.parse(hint(headers, 'date') ?? '') - Date.parse(timestamp);
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
  retryAfterSeconds: USUAL_PAUSE_SECONDS,
};

const keyWanted: Problem = {
  type: 'venue-fault',
  detail: 'The venue asks for a key where the interface needs none: check its address.',
};

const notOffered: Problem = {
  type: 'venue-fault',
  detail: 'The venue refuses this question with status 403, and answers others: it may not offer it to everybody.',
  retryAfterSeconds: USUAL_PAUSE_SECONDS,
};

const notAllowed: Problem = {
  type: 'key-refused',
  detail: 'The key is good, but this connection may not ask this question.',
};

function notTested(status: number): Problem {
  return { type: 'key-refused', detail: `The venue refuses this question with status ${String(status)}, and a test of the key was not answered: check the key if it stays so.` };
}
