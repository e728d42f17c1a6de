import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DeskAction } from '#contract/desk/actions.ts';
import type { Need } from '#contract/desk/roles.ts';
import type { Handler } from '#server/core/ports.ts';
import type { Problem } from '#server/core/venue-failure.ts';
import { findObstacle, type Identify, type Viewer } from '#server/core/viewer.ts';
import { guard } from './guard.ts';
import { sendProblem } from './problem-document.ts';
import {
  splitTarget,
  type AccessLogEntry,
  type RequestContext,
  type RouteHandler,
  type RouteResult,
} from './request-context.ts';

/** What a viewer needs to use it, and what handles it then. */
interface Route {
  readonly needs: Need;
  readonly handle: RouteHandler;
}

/** The route of each method; `GET` also answers `HEAD`. */
type MethodRoutes = Readonly<Partial<Record<'GET' | DeskAction['method'], Route>>>;

/** Which path is handled by what. Everything else belongs to the built app. */
export interface Routes {
  readonly exact: Readonly<Record<string, MethodRoutes>>;
  /** All other paths at and below a prefix: these are matched against the table of endpoints. */
  readonly below: Route & { readonly prefix: string };
}

export interface RouterParts {
  readonly routes: Routes;
  readonly identify: Identify;
  readonly app: (request: IncomingMessage, response: ServerResponse, path: string) => void;
  readonly now: () => number;
  readonly nextRequestId: () => string;
  readonly record: (entry: AccessLogEntry) => void;
  /** Learns who was let in or refused. */
  readonly observe?:
    | ((seen: Pick<RequestContext, 'viewer' | 'request' | 'rawQuery'>, result: RouteResult) => void)
    | undefined;
}

/** One path may have methods in several of them. */
export function joinRoutes(...all: readonly Routes['exact'][]): Routes['exact'] {
  const joined: Record<string, MethodRoutes> = {};
  for (const [path, routes] of all.flatMap(Object.entries<MethodRoutes>)) joined[path] = { ...joined[path], ...routes };
  return joined;
}

/** First path segments that belong to the routes, so that the app never answers for them. */
export function reservedSegmentsOf({ exact, below }: Routes): ReadonlySet<string> {
  return new Set([...Object.keys(exact), below.prefix].map((path) => path.split('/')[1] ?? ''));
}

export function createRouter({
  routes: { exact, below },
  identify,
  app,
  now,
  nextRequestId,
  record,
  observe,
}: RouterParts): Handler {
  const exactMethods = new Map(Object.entries(exact).map(([path, routes]) => [path, toMethods(routes)]));
  const { prefix } = below;
  const belowMethods = toMethods({ GET: below });
  const isBelow = (path: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

  const log = ({ request, requestId, startedAt }: Arrived, { endpoint, status, outcome, error }: RouteResult): void => {
    record({ requestId, method: request.method ?? '', endpoint, status, outcome, tookMs: now() - startedAt, error });
  };
  const reject = (arrived: Arrived, endpoint: string, problem: Problem): RouteResult => ({
    endpoint,
    outcome: problem.type,
    status: sendProblem(arrived.response, problem, arrived.requestId),
  });
  const admit = (
    arrived: Arrived,
    endpoint: string,
    { needs, handle }: Route,
    viewer: Viewer | Problem,
  ): RouteResult | Promise<RouteResult> => {
    if ('type' in viewer) return reject(arrived, endpoint, viewer);
    const obstacle = findObstacle(viewer, needs);
    const result = obstacle === null ? handle({ ...arrived, viewer }) : reject(arrived, endpoint, obstacle);
    if (observe === undefined) return result;
    return result instanceof Promise
      ? result.then((settled) => note(arrived, viewer, settled))
      : note(arrived, viewer, result);
  };
  const note = (arrived: Arrived, viewer: Viewer, result: RouteResult): RouteResult => {
    observe?.({ ...arrived, viewer }, result);
    return result;
  };
  const respond = (arrived: Arrived, endpoint: string, methods: Methods): RouteResult | Promise<RouteResult> => {
    const route = findRoute(methods, arrived.request);
    if ('type' in route) return reject(arrived, endpoint, route);
    const viewer = identify(arrived.request);
    return viewer instanceof Promise
      ? viewer.then((found) => admit(arrived, endpoint, route, found))
      : admit(arrived, endpoint, route, viewer);
  };

  return (request, response) => {
    const target = splitTarget(request.url ?? '');
    const ofPath = exactMethods.get(target.path);
    const methods = ofPath ?? (isBelow(target.path) ? belowMethods : undefined);
    if (methods === undefined) {
      app(request, response, target.path);
      return undefined;
    }
    const arrived = { ...target, request, response, requestId: nextRequestId(), startedAt: now() };
    const result = respond(arrived, ofPath === undefined ? 'none' : target.path, methods);
    if (result instanceof Promise)
      return result.then((settled) => {
        log(arrived, settled);
      });
    log(arrived, result);
    return undefined;
  };
}

/** A request of which it is not known yet who sends it. */
type Arrived = Omit<RequestContext, 'viewer'>;

type Methods = ReadonlyMap<string, Route>;

function toMethods({ GET: get, ...others }: MethodRoutes): Methods {
  return new Map([
    ...(get === undefined
      ? []
      : ([
          ['GET', get],
          ['HEAD', get],
        ] as const)),
    ...Object.entries(others),
  ]);
}

/** The route of the request's method, or why nothing may handle this request. */
function findRoute(methods: Methods, request: IncomingMessage): Route | Problem {
  const route = methods.get(request.method ?? '');
  if (route !== undefined) return guard(request) ?? route;
  const names = [...methods.keys()];
  return { type: 'method-not-allowed', detail: `This path accepts only ${names.join(' and ')}.`, methods: names };
}
