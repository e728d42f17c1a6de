import { expect } from 'vitest';
import { PROBLEM_PREFIX, PROBLEMS, type ProblemType } from '#contract/desk/problems.ts';
import type { HttpResponse } from '../http-client.ts';

interface Expected {
  readonly type: ProblemType;
  /** What the problem's detail must say. */
  readonly detail: RegExp;
  readonly retryAfter?: number;
}

/** Expects the response to be exactly this problem document, with headers that agree. */
export function expectProblem({ status, headers, body }: HttpResponse, { type, detail, retryAfter }: Expected): void {
  expect(JSON.parse(body.toString())).toEqual({
    type: `${PROBLEM_PREFIX}${type}`,
    ...PROBLEMS[type],
    detail: expect.stringMatching(detail) as string,
    instance: headers['desk-request-id'],
    ...(retryAfter !== undefined && { retryAfter }),
  });
  expect({
    status,
    type: headers['content-type'],
    retryAfter: headers['retry-after'],
    store: headers['cache-control'],
  }).toEqual({
    status: PROBLEMS[type].status,
    type: 'application/problem+json',
    retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
    store: 'no-store',
  });
}
