import { PROBLEM_PREFIX, PROBLEMS, type ProblemDocument, type ProblemType } from '#contract/desk/problems.ts';
import type { RecordedAnswer } from './answers.ts';
import type { Change } from './mount.tsx';
import { RECORDED_AT } from './recorded-at.ts';

export type Row = Readonly<Record<string, unknown>>;

type ChangeNow = (answer: RecordedAnswer) => RecordedAnswer;

/** Changes only the responses to the targets that a pattern matches. */
export function changing(target: RegExp, change: Change): Change {
  return (answer, sent) => (target.test(answer.target) ? change(answer, sent) : answer);
}

/** Replaces the JSON body of the response. */
export function toBody(change: (body: never) => unknown): ChangeNow {
  return (answer) => ({ ...answer, text: JSON.stringify(change(JSON.parse(answer.text) as never)) });
}

/** Changes each row of the list, by whichever name a body has it. A single object is a list of one. */
export function toRows(change: (row: Row, index: number) => Row): ChangeNow {
  return toBody((body: Row | readonly Row[]) => {
    if (isList(body)) return body.map(change);
    const list = ['data', 'products', 'orders'].find((name) => isList(body[name]));
    return list === undefined ? change(body, 0) : { ...body, [list]: (body[list] as readonly Row[]).map(change) };
  });
}

function isList(value: unknown): value is readonly Row[] {
  return Array.isArray(value);
}

/** Sets the exchange's clock to this time while the answers are read. */
export function atVenueTime(time: number): Change {
  return changing(
    /\/desk\/status/,
    toBody((status: { readonly venue: object }) => ({
      ...status,
      venue: { ...status.venue, clock_offset_ms: time - RECORDED_AT },
    })),
  );
}

/** Lets the exchange's clock go with the page's, where a test sets that one: later answers do not set it back. */
export const atPageTime: Change = (answer, sent) => atVenueTime(Date.now())(answer, sent);

/** Replaces the response by a problem. */
export function toProblem(
  type: ProblemType,
  detail: string,
  more: Partial<Pick<ProblemDocument, 'retryAfter' | 'parameter'>> = {},
): ChangeNow {
  const { status, title } = PROBLEMS[type];
  const text = JSON.stringify({ type: PROBLEM_PREFIX + type, title, status, detail, instance: 'r-1', ...more });
  return (answer) => ({ ...answer, status, headers: { 'content-type': 'application/problem+json' }, text });
}

export const unreachable = toProblem('venue-unreachable', 'The connection was refused.');

/** Returns a response from the server's cache, which the exchange could not renew. */
export const stale: ChangeNow = (answer) => ({
  ...answer,
  headers: { ...answer.headers, 'cache-status': 'perpdesk; hit; ttl=-90; detail=venue-unreachable' },
});

/** Holds responses back until they are released. */
export function holding(target: RegExp): { readonly change: Change; readonly letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return {
    change: changing(target, async (answer) => {
      await promise;
      return answer;
    }),
    letGo: () => {
      resolve(undefined);
    },
  };
}
