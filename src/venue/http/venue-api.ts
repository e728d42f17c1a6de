import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndpointName } from '#contract/endpoints.ts';
import type { VenueProfile } from '#contract/venues.ts';
import type { Exchange } from '../ports.ts';
import { sendJson, sendRefusal, type JsonBody } from './response.ts';
import type { ApiRequest, HandlerContext } from './handler.ts';
import { createAuthenticator, type Credential } from './authenticate.ts';
import { createAddressLimiter, type Budget } from './address-limiter.ts';
import { createCursors, type CursorSettings } from './cursors.ts';
import { HANDLERS } from './endpoints/handlers.ts';
import { checkPath, readQuery } from './parameters.ts';
import { Refusal } from './refusal.ts';
import { createRouter, readRequestTarget } from './request-target.ts';
import { createCachedListWriter } from './cached-list.ts';

interface ApiSettings {
  /** Everything stands below it, for example `/exchange/api`. */
  readonly basePath: string;
  /** Null: no limit. */
  readonly budget: Budget | null;
  readonly cursors: CursorSettings;
  /** How fast the exchange's clock runs. The window of signatures, which clients measure by theirs, is scaled by it. */
  readonly speed: number;
}

export interface VenueApiConfig {
  readonly exchange: Exchange;
  readonly credentials: readonly Credential[];
  readonly profile: VenueProfile;
  /** Cursors stay good over a restart where it is the same again. */
  readonly cursorKey: string;
  readonly settings: ApiSettings;
  /** In milliseconds; goes on evenly, however any clock is set. */
  readonly elapsed: () => number;
  /** Lets other work of the event loop go first. */
  readonly pause: () => Promise<void>;
  /** Told of what must not happen: a handler that failed. */
  readonly report: (fault: unknown) => void;
}

export interface VenueApi {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly now: Exchange['now'];
}

/** The exchange's HTTP interface: routes, checks and refusals follow from the table of endpoints. */
export function createVenueApi(config: VenueApiConfig): VenueApi {
  const { exchange, pause, report } = config;
  const open = createRequestProcessor(config);

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { answer, isPrivate } = await open(request);
      await sendJson(response, answer, { now: exchange.now(), isPrivate, pause });
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
  readonly answer: JsonBody;
  readonly isPrivate: boolean;
}

function createRequestProcessor({ exchange, credentials, profile, cursorKey, settings, elapsed }: VenueApiConfig) {
  const { basePath, budget, speed } = settings;
  const house: HandlerContext = {
    exchange,
    cursors: createCursors(cursorKey, settings.cursors),
    writeList: createCachedListWriter(),
  };
  const findRoute = createRouter(basePath, profile);
  const authenticate = createAuthenticator(credentials, speed);
  const admits = budget && createAddressLimiter(budget);

  return async ({ method, url = '', headers, socket }: IncomingMessage): Promise<Processed> => {
    if (admits && !admits(socket.remoteAddress ?? '', elapsed())) throw new Refusal(403);
    if (method !== 'GET' && method !== 'HEAD') throw notAllowed();
    if (hasBody(headers)) throw new Refusal(400, 'A request here has no body.', CLOSE);
    const target = readRequestTarget(url);
    const route = findRoute(target.path);
    const isPrivate = route.endpoint.access === 'signed';
    const identity = isPrivate ? authenticate({ ...target, method, headers }, exchange.now()) : null;
    checkPath(route);
    const query = readQuery(route, target.rawQuery);
    return { answer: await answer(route.name, { path: route.pathParameters, query, identity }, house), isPrivate };
  };
}

type AnyHandler = (ask: ApiRequest<never>, house: HandlerContext) => JsonBody | Promise<JsonBody>;

/** The table has been followed by now, so what was read is what the endpoint's handler expects. */
function answer(name: EndpointName, ask: object, house: HandlerContext): JsonBody | Promise<JsonBody> {
  const handler: AnyHandler = HANDLERS[name];
  return handler(ask as ApiRequest<never>, house);
}

/** Nobody reads the body of a request that is refused, so the connection cannot be used again. */
const CLOSE = { connection: 'close' };

function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function notAllowed(): Refusal {
  return new Refusal(405, 'Only GET and HEAD are answered here.', { allow: 'GET, HEAD', ...CLOSE });
}

function unavailable(): Refusal {
  return new Refusal(503, 'The exchange cannot answer now.');
}
