import { isTooManyWorkingOrders } from '#contract/refusals.ts';
import { VenueFailure, type Problem, type Question } from '../ports.ts';
import { printable, single } from './take-whole.ts';
import type { Received } from './transport.ts';

/** What an answer other than 200 means, where the status alone tells. 401 and 403 have more than one meaning. */
export function judgeStatus({ name, endpoint }: Question, { status, headers, body }: Received): Problem {
  const said = printable(body.toString('utf8', 0, 1_024));
  if (isTooManyWorkingOrders(status, said)) return { type: 'too-many-working-orders', detail: said };
  const quote = said === '' || said.startsWith('<') ? '' : `: ${said}`;
  if (status === 400 || status === 414) return { type: 'bad-parameter', detail: `The venue refuses the question${quote}` };
  if (status === 404) return { type: 'not-found', detail: `The venue has nothing at ${endpoint.path}${quote}` };
  if (status === 429) return { type: 'budget-spent', detail: 'The venue says that too much was asked.', retryAfterSeconds: retryAfter(single(headers, 'retry-after')) };
  if (status >= 300 && status < 400) return { type: 'venue-fault', detail: 'The venue answers with a redirect, which is not followed.' };
  return { type: 'venue-fault', detail: `The venue answered ${name} with status ${String(status)}${quote}` };
}

export const USUAL_PAUSE_SECONDS = 30;

function retryAfter(header: string | undefined): number {
  const seconds = Number(header);
  return header !== undefined && Number.isInteger(seconds) && seconds > 0 ? seconds : USUAL_PAUSE_SECONDS;
}

/** Another try may help: the venue failed, it did not refuse. */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof VenueFailure)) return false;
  return ['venue-fault', 'venue-unreachable', 'venue-answer-unreadable'].includes(error.problem.type);
}
