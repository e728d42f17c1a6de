import { isTooManyWorkingOrders } from '#contract/exchange/refusals.ts';
import type { VenueRequest } from '#server/core/ports.ts';
import { toPrintable } from '#server/core/printable.ts';
import type { Problem } from '#server/core/venue-failure.ts';
import { optional, parseHttpDate, type Headers } from './response-headers.ts';
import type { UpstreamResponse } from './response-receiver.ts';

/** The meaning of a status other than 200 that has only one. 401 and 403 have several: see `diagnose`. */
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

/** Elsewhere the number may be about anything. */
function isTooMany(name: VenueRequest['name'], status: number, message: string): boolean {
  return name === 'ordersWorking' && isTooManyWorkingOrders(status, message);
}

const redirected: Problem = {
  type: 'venue-fault',
  detail: 'The exchange responded with a redirect, which Perpdesk does not follow: check the exchange’s URL.',
};

const MAX_MESSAGE_LENGTH = 1_024;
const FIRST_SERVER_ERROR = 500;
export const DEFAULT_PAUSE_SECONDS = 30;
/** The usual window of a budget: whatever the exchange says, Perpdesk retries after it. */
const MAX_PAUSE_SECONDS = 300;

/** Seconds, or a date by the exchange's own clock (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers): number | null {
  const value = optional(headers, 'retry-after') ?? '';
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : secondsBetween(optional(headers, 'date'), value);
  return seconds === null ? null : Math.min(MAX_PAUSE_SECONDS, Math.max(1, seconds));
}

function secondsBetween(from: string | undefined, to: string): number | null {
  const [start, end] = [parseHttpDate(from), parseHttpDate(to)];
  return start === null || end === null ? null : Math.ceil((end - start) / 1_000);
}

/** A retry may succeed at once: the exchange failed, and named no time to come back. */
export function isTransient(status: number, { retryAfterSeconds }: Problem): boolean {
  return status >= FIRST_SERVER_ERROR && retryAfterSeconds === undefined;
}
