import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DeskAction } from '#contract/desk/actions.ts';
import { needOf } from '#contract/desk/needs.ts';
import { OIDC_ROUTES } from '#contract/desk/oidc.ts';
import type { Need } from '#contract/desk/roles.ts';
import type { Route as VenueRoute } from '#contract/exchange/addresses.ts';
import type { Handler } from '#server/core/ports.ts';
import type { Problem } from '#server/core/venue-failure.ts';
import { matchBelow } from '#server/core/venue-request.ts';
import { findObstacle, type Identify } from '#server/core/viewer.ts';
import { arrivalOf, isOwnOrigin } from './arrival.ts';
import { sendProblem } from './error-responses.ts';
import {
  splitTarget,
  type AccessLogEntry,
  type RequestContext,
  type RouteHandler,
  type RouteResult,
} from './request-context.ts';

/** A handler and the need that a viewer must meet to use it. */
interface Route {
  readonly needs: Need;
  readonly handle: RouteHandler;
}

/** The route of each method; `GET` also serves `HEAD`. */
type MethodRoutes = Readonly<Partial<Record<'GET' | DeskAction['method'], Route>>>;

/** The handlers by path. All other paths belong to the built app. */
export interface Routes {
  readonly exact: Readonly<Record<string, MethodRoutes>>;
  /** The endpoints of the exchange, each at its path below a prefix. Their needs are in the endpoint table. */
  readonly below: {
    readonly prefix: string;
    readonly handle: (context: RequestContext, route: VenueRoute) => Promise<RouteResult>;
  };
}

export interface RouterDeps {
  readonly routes: Routes;
  readonly identify: Identify;
  readonly app: (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>;
  readonly now: () => number;
  readonly nextRequestId: () => string;
  readonly record: (entry: AccessLogEntry) => void;
  /** Called with each admitted or rejected request. */
  readonly observe?:
    | ((seen: Pick<RequestContext, 'viewer' | 'request' | 'rawQuery'>, result: RouteResult) => void)
    | undefined;
}

/** Joins routes. One path may have methods in several of them. */
export function joinRoutes(...all: readonly Routes['exact'][]): Routes['exact'] {
  const joined: Record<string, MethodRoutes> = {};
  for (const [path, routes] of all.flatMap(Object.entries<MethodRoutes>)) joined[path] = { ...joined[path], ...routes };
  return joined;
}

/** Returns the first path segments of the routes, which the app must not use. */
export function reservedSegmentsOf({ exact, below }: Routes): ReadonlySet<string> {
  return new Set([...Object.keys(exact), below.prefix].map((path) => path.split('/')[1] ?? ''));
}

/** Admits exactly the requests whose viewer meets the need of the route: no handler checks that again. */
export function createRouter({
  routes: { exact, below },
  identify,
  app,
  now,
  nextRequestId,
  record,
  observe,
}: RouterDeps): Handler {
  const exactMethods = new Map(Object.entries(exact));
  const { prefix } = below;

  const reject = (arrived: Arrived, endpoint: string, problem: Problem): RouteResult => ({
    endpoint,
    outcome: problem.type,
    status: sendProblem(arrived.response, problem, arrived.requestId),
  });
  const rejectUnknown: RouteHandler = (context) =>
    Promise.resolve(
      reject(context, 'none', { type: 'not-in-the-interface', detail: 'This path is not part of the API.' }),
    );
  const find = (path: string): Found | null => {
    const methods = exactMethods.get(path);
    if (methods !== undefined) return { endpoint: path, unread: path, methods };
    if (path !== prefix && !path.startsWith(`${prefix}/`)) return null;
    const route = matchBelow(prefix, path);
    if (route === null)
      return { ...UNREAD, endpoint: 'none', methods: { GET: { needs: 'markets', handle: rejectUnknown } } };
    const handle: RouteHandler = (context) => below.handle(context, route);
    return {
      ...UNREAD,
      endpoint: route.name,
      methods: { GET: { needs: needOf(route.endpoint), handle } },
    };
  };
  const respond = async (arrived: Arrived, { endpoint, unread, methods }: Found): Promise<RouteResult> => {
    const route = findRoute(methods, arrived.request);
    if ('type' in route) return reject(arrived, unread, route);
    const viewer = await identify(arrived.request);
    if ('type' in viewer) return reject(arrived, unread, viewer);
    const context = { ...arrived, viewer };
    const obstacle = findObstacle(viewer, route.needs);
    const result =
      obstacle === null
        ? await route.handle(context)
        : reject(arrived, obstacle.type === 'not-signed-in' ? unread : endpoint, obstacle);
    observe?.(context, result);
    return result;
  };

  return async (request, response) => {
    const target = splitTarget(request.url ?? '');
    const found = find(target.path);
    if (found === null) {
      await app(request, response, target.path);
      return;
    }
    const arrived = { ...target, request, response, requestId: nextRequestId(), startedAt: now() };
    const { endpoint, status, outcome, error } = await respond(arrived, found);
    const tookMs = now() - arrived.startedAt;
    record({ requestId: arrived.requestId, method: request.method ?? '', endpoint, status, outcome, tookMs, error });
  };
}

/** A request before its sender is identified. */
type Arrived = Omit<RequestContext, 'viewer'>;

interface Found {
  /** The endpoint’s name in the log. */
  readonly endpoint: string;
  /** The same before the sender is identified. */
  readonly unread: string;
  readonly methods: MethodRoutes;
}

/**
 * Requests of unidentified senders to the exchange’s endpoints do not count among those of the endpoint, since nothing
 * was read.
 */
const UNREAD = { unread: 'none' } as const;

/** Returns the route of the request’s method, or why no route may handle the request. */
function findRoute(methods: MethodRoutes, request: IncomingMessage): Route | Problem {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const [, route] = Object.entries(methods).find(([name]) => name === method) ?? [];
  if (route !== undefined) return guard(request) ?? route;
  const names = [
    ...('GET' in methods ? ['GET', 'HEAD'] : []),
    ...Object.keys(methods).filter((name) => name !== 'GET'),
  ];
  return { type: 'method-not-allowed', detail: `This path accepts only ${names.join(' and ')}.`, methods: names };
}

const MAX_TARGET_LENGTH = 8_192;

/**
 * Rejects requests that no route accepts, with any method.
 *
 * @internal Exported for the test of the public address.
 */
export function guard(request: IncomingMessage): Problem | null {
  const { url = '' } = request;
  if (isCrossSite(request) && !isReturn(request))
    return { type: 'cross-site', detail: 'Only pages served by Perpdesk may send requests.' };
  if (url.length > MAX_TARGET_LENGTH)
    return {
      type: 'address-too-long',
      detail: `Path and query are limited to ${String(MAX_TARGET_LENGTH)} characters.`,
    };
  return null;
}

const FROM_ELSEWHERE: readonly string[] = Object.values(OIDC_ROUTES).flatMap(({ path, isFromElsewhere }) =>
  isFromElsewhere ? [path] : [],
);

/**
 * Whether a person comes to sign in, or back from their provider, which is another site. Such a request reads and
 * changes nothing else.
 */
function isReturn({ method, url = '', headers }: IncomingMessage): boolean {
  const [path = ''] = url.split('?');
  return (
    method === 'GET' &&
    headers.origin === undefined &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document' &&
    FROM_ELSEWHERE.includes(path)
  );
}

/**
 * Whether the request comes from another site’s page. Browsers send `Sec-Fetch-Site`; old ones at least send `Origin`,
 * which must then be ours. Programs that are not browsers send neither.
 */
function isCrossSite(request: IncomingMessage): boolean {
  const { headers } = request;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = headers;
  return origin !== undefined && !isOwnOrigin(origin, arrivalOf(request));
}
