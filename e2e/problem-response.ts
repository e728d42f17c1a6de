import { PROBLEM_PREFIX, PROBLEMS, type ProblemType } from '#contract/desk/problems.ts';

/** Creates a problem response of Perpdesk, for `route.fulfill`. */
export function toProblemResponse(type: ProblemType, detail: string, more: { readonly retryAfter?: number } = {}) {
  const { status, title } = PROBLEMS[type];
  const document = { type: PROBLEM_PREFIX + type, title, status, detail, instance: 'r-1', ...more };
  return { status, contentType: 'application/problem+json', body: JSON.stringify(document) };
}

export const UNREACHABLE = toProblemResponse('venue-unreachable', 'The connection was refused.');
