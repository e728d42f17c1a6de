import { isTooManyWorkingOrders } from '#contract/exchange/rejections.ts';
import { SIGNATURE_WINDOW_MS } from '#contract/exchange/signing.ts';
import type { RateLimiter, VenueRequest } from '#server/core/ports.ts';
import { toPrintable } from '#server/core/printable.ts';
import { type Problem, VenueFailure } from '#server/core/venue-failure.ts';
import { type Headers, optional, parseHttpDate, type UpstreamResponse } from './response.ts';

/** For a rejection that names no time. */
const DEFAULT_PAUSE_SECONDS = 30;

/** A 401 or 403, which may be about the budget, the clock or the key. */
export interface Rejection {
  readonly received: UpstreamResponse;
  /** The timestamp of the signature; null if the request was not signed. */
  readonly timestamp: string | null;
  /** Returns the status of a signed request that every key may send. */
  readonly statusOfSelfTest: () => Promise<number>;
  /** Returns the status of another public request. */
  readonly statusOfPublic: () => Promise<number>;
  /** Returns the status of the same request now. */
  readonly statusOfSame: () => Promise<number>;
}

/**
 * Finds out why the exchange responded with 401 or 403: it uses 403 for too many requests, and both for a wrong key or
 * clock.
 */
export async function diagnose(rateLimiter: Pick<RateLimiter, 'state'>, rejection: Rejection): Promise<Problem> {
  const { received, timestamp } = rejection;
  const { limit, used } = rateLimiter.state();
  const mayBeBudget = received.status === 403;
  if (mayBeBudget && limit !== null && used >= limit.requests) return budgetSpent('ours');
  if (timestamp === null) return mayBeBudget ? judgePublic(await statusOrNull(rejection.statusOfPublic)) : keyRequired;
  const skew = skewOf(received, timestamp);
  if (skew !== null && Math.abs(skew) > SIGNATURE_WINDOW_MS * 0.9) return clockSkew(skew);
  return mayBeBudget
    ? judgeForbidden(rejection)
    : judgeKey(await statusOrNull(rejection.statusOfSelfTest), received.status);
}

/**
 * Judges a 403, which is about the budget if an unsigned request is rejected too, or if the same request succeeds a
 * moment later.
 */
async function judgeForbidden(rejection: Rejection): Promise<Problem> {
  const unsigned = await statusOrNull(rejection.statusOfPublic);
  if (unsigned === 403) return budgetSpent('theirs');
  const selfTest = unsigned === null ? null : await statusOrNull(rejection.statusOfSelfTest);
  const hasPassed = selfTest === 200 && (await statusOrNull(rejection.statusOfSame)) === 200;
  return hasPassed ? budgetSpent('theirs') : judgeKey(selfTest, 403);
}

/** Judges a rejected unsigned request, which is about the budget unless another one succeeds. */
function judgePublic(other: number | null): Problem {
  return other === 200 ? notOffered : budgetSpent('theirs');
}

/** Blames the key only if the self-test is rejected: any other status is about something else. */
function judgeKey(selfTest: number | null, status: number): Problem {
  if (selfTest === 200) return notPermitted;
  return selfTest === 401 || selfTest === 403 ? keyRejected : notTested(status);
}

/** Returns null for a test that failed, which proves nothing and must not become the caller’s failure. */
async function statusOrNull(test: () => Promise<number>): Promise<number | null> {
  try {
    return await test();
  } catch (error) {
    if (error instanceof VenueFailure) return null;
    throw error;
  }
}

function skewOf({ headers }: UpstreamResponse, timestamp: string): number | null {
  const date = parseHttpDate(optional(headers, 'date'));
  return date === null ? null : date - Date.parse(timestamp);
}

function budgetSpent(whose: 'ours' | 'theirs'): Problem {
  const what =
    whose === 'ours'
      ? 'The exchange’s request budget is exhausted.'
      : 'The exchange reports too many requests, though not from Perpdesk: another program uses the same IP address.';
  return {
    type: 'budget-spent',
    detail: `${what} Perpdesk retries in ${String(DEFAULT_PAUSE_SECONDS)} s.`,
    retryAfterSeconds: DEFAULT_PAUSE_SECONDS,
  };
}

function clockSkew(skewMs: number): Problem {
  const seconds = String(Math.abs(Math.round(skewMs / 1_000)));
  const direction = skewMs > 0 ? 'behind' : 'ahead of';
  return {
    type: 'clock-skew',
    detail:
      `The timestamp of the signature is ${seconds} s ${direction} the exchange’s clock: ` +
      'synchronise this machine’s clock, for example with NTP.',
  };
}

const keyRejected: Problem = {
  type: 'key-refused',
  detail:
    'The exchange rejects the key: check that DESK_CONNECTION_ID and DESK_AUTH_TOKEN belong to this ' +
    'exchange and environment.',
  retryAfterSeconds: DEFAULT_PAUSE_SECONDS,
};

const keyRequired: Problem = {
  type: 'venue-fault',
  detail: 'The exchange requires a key for a public endpoint: check the exchange’s URL.',
};

const notOffered: Problem = {
  type: 'venue-fault',
  detail:
    'The exchange rejects this request with status 403 but accepts others: it may not offer this endpoint publicly.',
  retryAfterSeconds: DEFAULT_PAUSE_SECONDS,
};

const notPermitted: Problem = {
  type: 'key-refused',
  detail: 'The key is valid but lacks permission for this endpoint.',
};

function notTested(status: number): Problem {
  return {
    type: 'key-refused',
    detail:
      `The exchange rejects this request with status ${String(status)}, and a test of the key got ` +
      'no clear response. If this persists, check the key.',
  };
}

/** Returns the meaning of a status other than 200, if it has only one. 401 and 403 have several: see `diagnose`. */
export function classifyStatus({ name, endpoint }: VenueRequest, { status, headers, body }: UpstreamResponse): Problem {
  const message = toPrintable(body.toString().slice(0, MAX_MESSAGE_LENGTH));
  if (isTooMany(name, status, message)) return { type: 'too-many-working-orders', detail: message };
  const quote = message === '' || message.startsWith('<') ? '' : `: ${message}`;
  if (status === 400 || status === 414)
    return { type: 'bad-parameter', detail: `The exchange rejects the request${quote}` };
  if (status === 404) return { type: 'not-found', detail: `The exchange has nothing at ${endpoint.path}${quote}` };
  if (status >= 300 && status < 400) return redirected;
  const pause = retryAfter(headers);
  if (status === 429)
    return {
      type: 'budget-spent',
      detail: 'The exchange reports too many requests.',
      retryAfterSeconds: pause ?? DEFAULT_PAUSE_SECONDS,
    };
  const fault: Problem = {
    type: 'venue-fault',
    detail: `The exchange responded to ${name} with status ${String(status)}${quote}`,
  };
  return status < FIRST_SERVER_ERROR || pause === null ? fault : { ...fault, retryAfterSeconds: pause };
}

/** Checks the number only where it is about working orders: elsewhere, it may be about anything. */
function isTooMany(name: VenueRequest['name'], status: number, message: string): boolean {
  return name === 'ordersWorking' && isTooManyWorkingOrders(status, message);
}

const redirected: Problem = {
  type: 'venue-fault',
  detail: 'The exchange responded with a redirect, which Perpdesk does not follow: check the exchange’s URL.',
};

const MAX_MESSAGE_LENGTH = 1_024;
const FIRST_SERVER_ERROR = 500;
/** The usual window of a budget. Perpdesk retries after it, even if the exchange names a later time. */
const MAX_PAUSE_SECONDS = 300;

/** Parses seconds, or a date by the exchange’s own clock (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers): number | null {
  const value = optional(headers, 'retry-after') ?? '';
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : secondsBetween(optional(headers, 'date'), value);
  return seconds === null ? null : Math.min(MAX_PAUSE_SECONDS, Math.max(1, seconds));
}

function secondsBetween(from: string | undefined, to: string): number | null {
  const [start, end] = [parseHttpDate(from), parseHttpDate(to)];
  return start === null || end === null ? null : Math.ceil((end - start) / 1_000);
}

/** Whether a retry may succeed at once: the exchange failed without naming a time to come back. */
export function isTransient(status: number, { retryAfterSeconds }: Problem): boolean {
  return status >= FIRST_SERVER_ERROR && retryAfterSeconds === undefined;
}
