import type { EndpointName } from '#contract/exchange/endpoints.ts';
import type { ApiRequest, Handler, HandlerContext } from './http/handler.ts';
import { handleChartPrice, handleChartVoi } from './http/endpoints/charts.ts';
import { handleFundingEstimated, handleFundingRates } from './http/endpoints/funding.ts';
import { handleOrders, handleOrdersWorking } from './http/endpoints/orders.ts';
import {
  handleProductData,
  handleProductDataAll,
  handleTrailingStats,
  handleTrailingStatsAll,
} from './http/endpoints/product-data.ts';
import { handleProductSpec, handleProductSpecs } from './http/endpoints/products.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VenueProfile } from '#contract/exchange/addresses.ts';
import type { Exchange } from './core/ports.ts';
import { createCachedListWriter, type JsonBody, Rejection, sendJson, sendRejection } from './http/response.ts';
import { createAuthenticator, type Credential } from './http/authenticate.ts';
import { type Budget, createAddressLimiter } from './http/address-limiter.ts';
import { createCursors, type CursorSettings } from './http/paging.ts';
import { checkPath, createRouter, readQuery, readRequestTarget } from './http/request.ts';

interface ApiSettings {
  /** The path that all endpoints are below, for example `/exchange/api`. */
  readonly basePath: string;
  /** Null means no limit. */
  readonly budget: Budget | null;
  readonly cursors: CursorSettings;
  /**
   * The speed of the exchange's clock. It scales the window of signatures, because clients measure by their own clock.
   */
  readonly speed: number;
}

export interface VenueApiConfig {
  readonly exchange: Exchange;
  readonly credentials: readonly Credential[];
  readonly profile: VenueProfile;
  /** The key of cursors. Using the same one after a restart keeps them valid. */
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

/** Creates the exchange's HTTP interface. Routes, checks and rejections follow from the table of endpoints. */
export function createVenueApi(config: VenueApiConfig): VenueApi {
  const { exchange, pause, report } = config;
  const handleRequest = createRequestHandler(config);

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { body, isPrivate } = await handleRequest(request);
      await sendJson(response, body, { now: exchange.now(), isPrivate, pause });
    } catch (error) {
      if (!(error instanceof Rejection)) report(error);
      if (response.headersSent) response.destroy();
      else sendRejection(response, error instanceof Rejection ? error : unavailable(), exchange.now());
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
    if (admits && !admits(socket.remoteAddress ?? '', elapsed())) throw new Rejection(403);
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed();
    if (hasBody(headers)) throw new Rejection(400, 'Requests must not have a body.', CLOSE);
    const target = readRequestTarget(url);
    const route = findRoute(target.path);
    const isPrivate = route.endpoint.access === 'signed';
    const identity = isPrivate ? authenticate({ ...target, method, headers }, exchange.now()) : null;
    checkPath(route);
    const query = readQuery(route, target.rawQuery);
    return { body: await respond(route.name, { path: route.pathParameters, query, identity }, context), isPrivate };
  };
}

const HANDLERS: { readonly [Name in EndpointName]: Handler<Name> } = {
  chartPrice: handleChartPrice,
  chartVoi: handleChartVoi,
  fundingRates: handleFundingRates,
  fundingEstimated: handleFundingEstimated,
  orders: handleOrders,
  ordersWorking: handleOrdersWorking,
  trailingStatsAll: handleTrailingStatsAll,
  trailingStats: handleTrailingStats,
  productSpecs: handleProductSpecs,
  productSpec: handleProductSpec,
  productDataAll: handleProductDataAll,
  productData: handleProductData,
};

type AnyHandler = (request: ApiRequest<never>, context: HandlerContext) => JsonBody | Promise<JsonBody>;

/** Calls the handler. The request was checked against the table, so its fields are those that the handler expects. */
function respond(name: EndpointName, request: object, context: HandlerContext): JsonBody | Promise<JsonBody> {
  const handler: AnyHandler = HANDLERS[name];
  return handler(request as ApiRequest<never>, context);
}

/** The body of a rejected request is not read, so the connection cannot be reused. */
const CLOSE = { connection: 'close' };

function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function methodNotAllowed(): Rejection {
  return new Rejection(405, 'Only GET and HEAD are allowed.', { allow: 'GET, HEAD', ...CLOSE });
}

function unavailable(): Rejection {
  return new Rejection(503, 'The exchange cannot respond now. Try again later.');
}
