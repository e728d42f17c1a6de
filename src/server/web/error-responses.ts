import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { REQUEST_ID_HEADER } from '#contract/desk/desk.ts';
import { PROBLEM_PREFIX, type ProblemDocument, PROBLEMS } from '#contract/desk/problems.ts';
import { type Problem, VenueFailure } from '#server/core/venue-failure.ts';
import { securityHeaders } from './send-response.ts';
import type { RouteResult } from './request-context.ts';

type Headers = Readonly<Record<string, string>>;

function errorHeaders(body: string, extra: Headers): Headers {
  return {
    ...securityHeaders,
    'cache-control': 'no-store',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    ...extra,
  };
}

/** Responds with an error status and one sentence. */
export function sendPlainError(response: ServerResponse, status: number, sentence: string, extra: Headers = {}): void {
  const body = `${sentence}\n`;
  response.writeHead(status, errorHeaders(body, extra)).end(body);
}

/** Closing a connection with unread bytes resets it at once, and the client may never see the response. */
const lingerMs = 1_000;

/** Ends a connection, even if its client never does. */
export function endSoon(socket: Duplex): void {
  const lingering = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearTimeout(lingering);
  });
  socket.end();
}

/** Responds with an error to a socket that sent something other than a request; closes the connection. */
export function rejectConnection(socket: Duplex, status: number, sentence: string, extra: Headers = {}): void {
  const body = `${sentence}\n`;
  const headers = Object.entries(errorHeaders(body, { ...extra, connection: 'close' }));
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  // An unhandled socket error would end the process.
  socket.on('error', () => socket.destroy()).resume();
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  endSoon(socket);
}

/** Returns the body of a problem response. */
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
/** An error that is no `VenueFailure`. */
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
