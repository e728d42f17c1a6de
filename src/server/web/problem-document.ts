import type { ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '#contract/desk/desk.ts';
import { PROBLEM_PREFIX, PROBLEMS, type ProblemDocument } from '#contract/desk/problems.ts';
import { VenueFailure, type Problem } from '#server/core/venue-failure.ts';
import type { RouteResult } from './request-context.ts';
import { securityHeaders } from './security-headers.ts';

/** The body of a problem. */
export function toProblemDocument(
  { type, detail, parameter, errors, retryAfterSeconds }: Problem,
  requestId: string,
): ProblemDocument {
  return {
    type: `${PROBLEM_PREFIX}${type}`,
    ...PROBLEMS[type],
    detail,
    instance: requestId,
    ...(parameter !== undefined && { parameter }),
    ...(errors !== undefined && { errors: [...errors] }),
    ...(retryAfterSeconds !== undefined && { retryAfter: Math.ceil(retryAfterSeconds) }),
  };
}

/** Responds with a problem document. Returns the status, for the log. */
export function sendProblem(response: ServerResponse, problem: Problem, requestId: string): number {
  const document = toProblemDocument(problem, requestId);
  const body = JSON.stringify(document);
  response.writeHead(document.status, {
    ...securityHeaders,
    'cache-control': 'no-store',
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    [REQUEST_ID_HEADER]: requestId,
    ...(document.retryAfter !== undefined && { 'retry-after': String(document.retryAfter) }),
    ...(problem.methods !== undefined && { allow: problem.methods.join(', ') }),
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
  return document.status;
}

const CLIENT_CLOSED_REQUEST = 499;
/** An error that no `VenueFailure` explains. */
export const DESK_FAULT: Problem = {
  type: 'desk-fault',
  detail: 'Perpdesk failed to handle this request. Its log gives the reason under this request ID.',
};

/** Responds with the problem behind an error, unless the client has gone. */
export function sendFailure(
  response: ServerResponse,
  error: unknown,
  requestId: string,
): Omit<RouteResult, 'endpoint'> {
  if (response.destroyed || response.headersSent)
    return { outcome: 'client gone', status: CLIENT_CLOSED_REQUEST, error };
  const problem = error instanceof VenueFailure ? error.problem : DESK_FAULT;
  return { outcome: problem.type, status: sendProblem(response, problem, requestId), error };
}
