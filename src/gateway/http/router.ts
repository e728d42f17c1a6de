import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DeskAction } from '#contract/desk-actions.ts';
import type { Handler } from '../ports.ts';
import type { Problem } from '../venue-failure.ts';
import { guard } from './guard.ts';
import { sendProblem } from './problem-document.ts';
import { splitTarget, type AccessLogEntry, type RequestContext, type RouteHandler, type RouteResult } from './request-context.ts';

/** The handler of each method; `GET` also answers `HEAD`. */
type MethodHandlers = Readonly<Partial<Record<'GET' | DeskAction['method'], RouteHandler>>>;

/** Which path is handled by what. Everything else belongs to the built app. */
export interface Routes {
  readonly exact: Readonly<Record<string, MethodHandlers>>;
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

/** One path may have methods in several of them. */
export function joinRoutes(...all: readonly Routes['exact'][]): Routes['exact'] {
  const joined: Record<string, MethodHandlers> = {};
  for (const [path, handlers] of all.flatMap(Object.entries<MethodHandlers>)) joined[path] = { ...joined[path], ...handlers };
  return joined;
}

/** First path segments that belong to the routes, so that the app never answers for them. */
export function reservedSegmentsOf({ exact, below }: Routes): ReadonlySet<string> {
  return new Set([...Object.keys(exact), below.prefix].map((path) => path.split('/')[1] ?? ''));
}

export function createRouter({ routes: { exact, below }, app, now, nextRequestId, record }: RouterParts): Handler {
  const exactRoutes = new Map(Object.entries(exact).map(([path, handlers]) => [path, toRoute(handlers)]));
  const { prefix } = below;
  const belowRoute = toRoute({ GET: below.handle });
  const isBelow = (path: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

  const log = ({ request, requestId, startedAt }: RequestContext, { endpoint, status, outcome, error }: RouteResult): void => {
    record({ requestId, method: request.method ?? '', endpoint, status, outcome, tookMs: now() - startedAt, error });
  };

  return (request, response) => {
    const target = splitTarget(request.url ?? '');
    const exactRoute = exactRoutes.get(target.path);
    const route = exactRoute ?? (isBelow(target.path) ? belowRoute : undefined);
    if (route === undefined) {
      app(request, response, target.path);
      return undefined;
    }
    const context = { ...target, request, response, requestId: nextRequestId(), startedAt: now() };
    const handle = findHandler(route, request);
    const endpoint = exactRoute === undefined ? 'none' : target.path;
    const result = typeof handle === 'function' ? handle(context) : { endpoint, outcome: handle.type, status: sendProblem(response, handle, context.requestId) };
    if (result instanceof Promise) return result.then((settled) => { log(context, settled); });
    log(context, result);
    return undefined;
  };
}

type Route = ReadonlyMap<string, RouteHandler>;

function toRoute({ GET: get, ...others }: MethodHandlers): Route {
  return new Map([...(get === undefined ? [] : [['GET', get], ['HEAD', get]] as const), ...Object.entries(others)]);
}

/** The handler of the request's method, or why it must not handle this request. */
function findHandler(route: Route, request: IncomingMessage): RouteHandler | Problem {
  const handle = route.get(request.method ?? '');
  if (handle !== undefined) return guard(request) ?? handle;
  const methods = [...route.keys()];
  return { type: 'method-not-allowed', detail: `This path accepts only ${methods.join(' and ')}.`, methods };
}
