import { PROBLEM_PREFIX, PROBLEMS, type ProblemType } from '#contract/problems.ts';

/** What the desk says instead of an answer, for a route to answer with. */
export function toProblemAnswer(type: ProblemType, detail: string, more: { readonly retryAfter?: number } = {}) {
  const { status, title } = PROBLEMS[type];
  const document = { type: PROBLEM_PREFIX + type, title, status, detail, instance: 'r-1', ...more };
  return { status, contentType: 'application/problem+json', body: JSON.stringify(document) };
}

export const UNREACHABLE = toProblemAnswer('venue-unreachable', 'It refuses the connection.');
