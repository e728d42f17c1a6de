import type { IncomingMessage, ServerResponse } from 'node:http';
import { Http2ServerRequest } from 'node:http2';
import { PAGE_PURPOSES, PURPOSE_HEADER } from '#contract/desk/desk.ts';
import { ENDPOINT_NAMES, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import type { Log, Purpose } from '#server/core/ports.ts';
import type { Viewer } from '#server/core/viewer.ts';

/** The parsed address of a request. */
export interface RequestTarget {
  /** As sent. */
  readonly url: string;
  /** Up to the first question mark; any later one belongs to a value. */
  readonly path: string;
  readonly rawQuery: string;
}

export interface RequestContext extends RequestTarget {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly startedAt: number;
  readonly viewer: Viewer;
}

/** A handled request, for the log and the metrics. It never contains the query, which may be private. */
export interface AccessLogEntry {
  readonly requestId: string;
  readonly method: string;
  readonly endpoint: string;
  readonly status: number;
  readonly outcome: string;
  readonly tookMs: number;
  readonly error?: unknown;
}

export interface RouteResult extends Pick<AccessLogEntry, 'endpoint' | 'status' | 'outcome' | 'error'> {
  /** Counts the rows that were sent, called only if the count is needed. */
  readonly rows?: () => number;
}

/** Responds to a request whose viewer has the required role. */
export type RouteHandler = (context: RequestContext) => Promise<RouteResult>;

export function splitTarget(url: string): RequestTarget {
  const mark = url.indexOf('?');
  return mark === -1
    ? { url, path: url, rawQuery: '' }
    : { url, path: url.slice(0, mark), rawQuery: url.slice(mark + 1) };
}

/** Returns the purpose that a page declares; undefined leaves it to the endpoint table. */
export function pagePurposeOf({ headers }: IncomingMessage): Purpose | undefined {
  return PAGE_PURPOSES.find((purpose) => purpose === headers[PURPOSE_HEADER]);
}

/**
 * Whether the whole request has arrived. For an HTTP/2 request without a body, Node’s `complete` is only true once its
 * end was read.
 */
export function isWhole(request: IncomingMessage | Http2ServerRequest): boolean {
  return request.complete || (request instanceof Http2ServerRequest && request.stream.endAfterHeaders);
}

/**
 * Calls back when the response is closed; at once if it already is, as when the client left while it was being
 * identified.
 */
export function onClose(response: ServerResponse, call: () => void): void {
  if (response.destroyed) call();
  else response.once('close', call);
}

/** Aborts if the client disconnects before its response is complete. */
export function abortOnDisconnect(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  onClose(response, () => {
    // `close` also follows a normal end. HTTP/2 reports a stream that the client closed as finished, too.
    if (!response.writableEnded) controller.abort();
  });
  return controller.signal;
}

const FIRST_SERVER_ERROR = 500;
/** This probe has a 503 for an answer: not ready, which is no failure. */
const READINESS = '/readyz';

export function logRequest(log: Log, entry: AccessLogEntry): void {
  const isDeskFault = entry.outcome === 'desk-fault';
  const level = entry.status >= FIRST_SERVER_ERROR && entry.endpoint !== READINESS ? 'warn' : 'debug';
  log(isDeskFault ? 'error' : level, 'request', () => {
    const { error, ...fields } = entry;
    const reason = error instanceof Error ? reasonOf(entry, error) : undefined;
    return { ...fields, ...(reason !== undefined && { reason }) };
  });
}

/** Returns no reason for private endpoints: an error may quote the exchange, which may quote the request. */
function reasonOf({ endpoint, outcome }: AccessLogEntry, error: Error): string | undefined {
  if (outcome === 'desk-fault') return error.stack;
  const isPublic = ENDPOINT_NAMES.some((name) => name === endpoint && ENDPOINTS[name].access === 'public');
  return isPublic ? error.message : undefined;
}
