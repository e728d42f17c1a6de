import { PROBLEM_PREFIX, PROBLEMS, type ProblemType } from '#contract/problems.ts';
import type { RecordedAnswer } from './answers.ts';
import type { Change } from './mount.tsx';

type ChangeNow = (answer: RecordedAnswer) => RecordedAnswer;

/** Changes the answers to the targets that a pattern matches, and no others. */
export function changing(target: RegExp, change: Change): Change {
  return (answer) => (target.test(answer.target) ? change(answer) : answer);
}

/** Gives the answer another JSON body. */
export function toBody(change: (body: never) => unknown): ChangeNow {
  return (answer) => ({ ...answer, text: JSON.stringify(change(JSON.parse(answer.text) as never)) });
}

/** The desk answers with a problem instead. */
export function toProblem(type: ProblemType, detail: string, more: { readonly retryAfter?: number } = {}): ChangeNow {
  const { status, title } = PROBLEMS[type];
  const text = JSON.stringify({ type: PROBLEM_PREFIX + type, title, status, detail, instance: 'r-1', ...more });
  return (answer) => ({ ...answer, status, headers: { 'content-type': 'application/problem+json' }, text });
}

export const unreachable = toProblem('venue-unreachable', 'The connection was refused.');

/** An answer from the desk's memory, which the exchange could not renew. */
export const stale: ChangeNow = (answer) => ({ ...answer, headers: { ...answer.headers, 'cache-status': 'perpdesk; hit; ttl=-90; detail=venue-unreachable' } });
