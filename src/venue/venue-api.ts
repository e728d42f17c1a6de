import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndpointName } from '#contract/exchange/endpoints.ts';
import type { VenueProfile } from '#contract/exchange/venues.ts';
import type { Exchange } from './core/ports.ts';
import { sendJson, sendRefusal, type JsonBody } from './http/response.ts';
import type { ApiRequest, HandlerContext } from './http/handler.ts';
import { createAuthenticator, type Credential } from './http/authenticate.ts';
import { createAddressLimiter, type Budget } from './http/address-limiter.ts';
import { createCursors, type CursorSettings } from './http/cursors.ts';
import { HANDLERS } from './http/endpoints/handlers.ts';
import { checkPath, readQuery } from './http/parameters.ts';
import { Refusal } from './http/refusal.ts';
import { createRouter, readRequestTarget } from './http/request-target.ts';
import { createCachedListWriter } from './http/cached-list.ts';

interface ApiSettings {
  /** The path below which all endpoints are, for example `/exchange/api`. */
  readonly basePath: string;
  /** Null: no limit. */
  readonly budget: Budget | null;
  readonly cursors: CursorSettings;
  /** The speed of the exchange's clock, which scales the window of signatures: clients measure it by their own clock. */
  readonly speed: number;
}

export interface VenueApiConfig {
  readonly exchange: Exchange;
  readonly credentials: readonly Credential[];
  readonly profile: VenueProfile;
  /** The same key after a restart keeps cursors valid. */
  readonly cursorKey: string;
  readonly settings: ApiSettings;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Yields to other work of the event loop. */
  readonly pause: () => Promise<void>;
  /** Reports a handler that failed. */
  readonly report: (fault: unknown) => void;
}

export interface VenueApi {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly now: Exchange['now'];
}

/** The exchange's HTTP interface: routes, checks and refusals follow from the table of endpoints. */
export function createVenueApi(config: VenueApiConfig): VenueApi {
  const { exchange, pause, report } = config;
  const handleRequest = createRequestHandler(config);

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { body, isPrivate } = await handleRequest(request);
      await sendJson(response, body, { now: exchange.now(), isPrivate, pause });
    } catch (error) {
      if (!(error instanceof Refusal)) report(error);
      if (response.headersSent) response.destroy();
      else sendRefusal(response, error instanceof Refusal ? error : unavailable(), exchange.now());
    }
  };

  return {
    handle: (request, response) => void serve(request, response),
    now: exchange.now,
  };
}

interface Processed {
  readonly body: JsonBody;
  readonly isPrivate: boolean;
}

function createRequestHandler({ exchange, credentials, profile, cursorKey, settings, elapsed }: VenueApiConfig) {
  const { basePath, budget, speed } = settings;
  const context: HandlerContext = {
    exchange,
    cursors: createCursors(cursorKey, settings.cursors),
    writeList: createCachedListWriter(),
  };
  const findRoute = createRouter(basePath, profile);
  const authenticate = createAuthenticator(credentials, speed);
  const admits = budget && createAddressLimiter(budget);

  return async ({ method, url = '', headers, socket }: IncomingMessage): Promise<Processed> => {
    if (admits && !admits(socket.remoteAddress ?? '', elapsed())) throw new Refusal(403);
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
    if (hasBody(headers)) throw new Refusal(400, 'Requests must not have a body.', CLOSE);
    const target = readRequestTarget(url);
    const route = findRoute(target.path);
    const isPrivate = route.endpoint.access === 'signed';
    const identity = isPrivate ? authenticate({ ...target, method, headers }, exchange.now()) : null;
    checkPath(route);
    const query = readQuery(route, target.rawQuery);
    return { body: await respond(route.name, { path: route.pathParameters, query, identity }, context), isPrivate };
  };
}

type AnyHandler = (request: ApiRequest<never>, context: HandlerContext) => JsonBody | Promise<JsonBody>;

/** The request was checked against the table, so its fields are those that the handler expects. */
function respond(name: EndpointName, request: object, context: HandlerContext): JsonBody | Promise<JsonBody> {
  const handler: AnyHandler = HANDLERS[name];
  return handler(request as ApiRequest<never>, context);
}

/** The body of a refused request is not read, so the connection cannot be used again. */
const CLOSE = { connection: 'close' };

function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function methodNotAllowed(): Refusal {
  return new Refusal(405, 'Only GET and HEAD are allowed.', { allow: 'GET, HEAD', ...CLOSE });
}

function unavailable(): Refusal {
  return new Refusal(503, 'The exchange cannot respond now. Try again later.');
}
