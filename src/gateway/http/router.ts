import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handler } from '../ports.ts';
import { guard } from './guard.ts';
import { sendProblem } from './problem-document.ts';
import { splitTarget, type AccessLogEntry, type RequestContext, type RouteHandler, type RouteResult } from './request-context.ts';

/** Which path is handled by what. Everything else belongs to the built app. */
export interface Routes {
  readonly exact: Readonly<Record<string, RouteHandler>>;
  /** All other paths at and below a prefix: these are matched against the table of endpoints. */
  readonly below: { readonly prefix: string; readonly handle: RouteHandler };
}

export interface RouterParts {
  readonly routes: Routes;
  readonly app: (request: IncomingMessage, response: ServerResponse, path: string) => void;
  readonly now: () => number;
  readonly nextRequestId: () => string;
  readonly record: (entry: AccessLogEntry) => void;
}

/** First path segments that belong to the routes, so that the app never answers for them. */
export function reservedSegmentsOf({ exact, below }: Routes): ReadonlySet<string> {
  return new Set([...Object.keys(exact), below.prefix].map((path) => path.split('/')[1] ?? ''));
}

export function createRouter({ routes: { exact, below }, app, now, nextRequestId, record }: RouterParts): Handler {
  const exactRoutes = new Map(Object.entries(exact));
  const { prefix } = below;
  const isBelow = (path: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

  const log = ({ request, requestId, startedAt }: RequestContext, { endpoint, status, outcome, error }: RouteResult): void => {
    record({ requestId, method: request.method ?? '', endpoint, status, outcome, tookMs: now() - startedAt, error });
  };

  return (request, response) => {
    const target = splitTarget(request.url ?? '');
    const exactRoute = exactRoutes.get(target.path);
    const route = exactRoute ?? (isBelow(target.path) ? below.handle : undefined);
    if (route === undefined) {
      app(request, response, target.path);
      return undefined;
    }
    const context = { ...target, request, response, requestId: nextRequestId(), startedAt: now() };
    const problem = guard(request);
    const endpoint = exactRoute === undefined ? 'none' : target.path;
    const result = problem === null ? route(context) : { endpoint, outcome: problem.type, status: sendProblem(response, problem, context.requestId) };
    if (result instanceof Promise) return result.then((settled) => { log(context, settled); });
    log(context, result);
    return undefined;
  };
}
