import { expect } from 'vitest';
import { PROBLEM_PREFIX, PROBLEMS, type ProblemType } from '#contract/problems.ts';
import type { HttpResponse } from '../http-client.ts';

interface Expected {
  readonly type: ProblemType;
  /** What a person must be able to read in it. */
  readonly detail: RegExp;
  readonly retryAfter?: number;
}

/** The answer is this problem document, whole, and its headers say the same. */
export function expectProblem({ status, headers, body }: HttpResponse, { type, detail, retryAfter }: Expected): void {
  expect(JSON.parse(body.toString())).toEqual({
    type: `${PROBLEM_PREFIX}${type}`,
    ...PROBLEMS[type],
    detail: expect.stringMatching(detail) as string,
    instance: headers['desk-request-id'],
    ...(retryAfter !== undefined && { retryAfter }),
  });
  expect({ status, type: headers['content-type'], retryAfter: headers['retry-after'], store: headers['cache-control'] }).toEqual({
    status: PROBLEMS[type].status,
    type: 'application/problem+json',
    retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
    store: 'no-store',
  });
}
