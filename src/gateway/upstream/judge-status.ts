import { isTooManyWorkingOrders } from '#contract/refusals.ts';
import type { Problem, Question } from '../ports.ts';
import { hint, type Headers } from './answer-headers.ts';
import { printable } from './printable.ts';
import type { Received } from './exchange.ts';

/** What an answer other than 200 means, where the status alone tells. 401 and 403 have more than one meaning. */
export function judgeStatus({ name, endpoint }: Question, { status, headers, body }: Received): Problem {
  const said = printable(body.toString().slice(0, LONGEST_SAID));
  if (isTooMany(name, status, said)) return { type: 'too-many-working-orders', detail: said };
  const quote = said === '' || said.startsWith('<') ? '' : `: ${said}`;
  if (status === 400 || status === 414) return { type: 'bad-parameter', detail: `The venue refuses the question${quote}` };
  if (status === 404) return { type: 'not-found', detail: `The venue has nothing at ${endpoint.path}${quote}` };
  if (status >= 300 && status < 400) return redirected;
  const pause = retryAfter(headers);
  if (status === 429) return { type: 'budget-spent', detail: 'The venue says that too much was asked.', retryAfterSeconds: pause ?? USUAL_PAUSE_SECONDS };
  const fault: Problem = { type: 'venue-fault', detail: `The venue answered ${name} with status ${String(status)}${quote}` };
  return status < FIRST_FAULT || pause === null ? fault : { ...fault, retryAfterSeconds: pause };
}

/** Of other questions the number may be about anything. */
function isTooMany(name: Question['name'], status: number, said: string): boolean {
  return name === 'ordersWorking' && isTooManyWorkingOrders(status, said);
}

const redirected: Problem = { type: 'venue-fault', detail: 'The venue answers with a redirect, which is not followed: check its address.' };

const LONGEST_SAID = 1_024;
/** From here on the venue failed; below, it refused. */
const FIRST_FAULT = 500;
export const USUAL_PAUSE_SECONDS = 30;
/** The budget's usual window: whatever the venue says, it is asked again after it. */
const LONGEST_PAUSE_SECONDS = 300;

/** Seconds, or a date, which is one by the venue's own clock (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers): number | null {
  const said = hint(headers, 'retry-after') ?? '';
  const seconds = /^\d{1,9}$/.test(said) ? Number(said) : Math.ceil((dateOf(said) - dateOf(hint(headers, 'date') ?? '')) / 1_000);
  return Number.isNaN(seconds) ? null : Math.min(LONGEST_PAUSE_SECONDS, Math.max(1, seconds));
}

/** Much that is none would be read as a date: a negative number is a year. */
function dateOf(text: string): number {
  return /^[A-Z][a-z]{2}, .* GMT$/.test(text) ? Date.parse(text) : NaN;
}

/** Another try may be answered at once: the venue failed and did not say when to come back. */
export function mayPass(status: number, { retryAfterSeconds }: Problem): boolean {
  return status >= FIRST_FAULT && retryAfterSeconds === undefined;
}
