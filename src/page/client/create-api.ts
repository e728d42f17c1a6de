import { API_PREFIX, DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { type Endpoint, ENDPOINT_NAMES, type EndpointName, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createRowCheck, type RequestPairs } from '#contract/parse/row-check.ts';
import { toPath } from '#contract/exchange/addresses.ts';
import { createParser, type Parser, type ParseResult } from '#contract/parse/parse.ts';
import { untimedRows } from '#contract/exchange/row-rules.ts';
import type { Static, TSchema } from '#contract/exchange/schema.ts';
import type { ApiResponse } from '#model/response.ts';
import type { HttpClient, RawResponse, RequestOptions } from './http-client.ts';
import type { QueryRequest, RequestOf, ResponseOf } from '#model/request-types.ts';
import { InvalidResponseError } from './errors.ts';

/** The endpoints whose responses Perpdesk computes itself, as opposed to those it forwards to the exchange. */
export type DeskEndpointName = keyof typeof DESK_ENDPOINTS;
export type DeskResponseOf<Name extends DeskEndpointName> = Static<(typeof DESK_ENDPOINTS)[Name]['response']>;

export type DeskRequestOf<Name extends DeskEndpointName> = QueryRequest<(typeof DESK_ENDPOINTS)[Name]['query']>;

interface CallOptions<T> extends RequestOptions {
  /** An earlier response, whose rows are reused if nothing has changed. */
  readonly previous?: ApiResponse<T> | undefined;
}

/** Calls one endpoint. Rejects with one of the errors in `errors.ts`, or with the signal's reason. */
export interface ApiCall<Request, Response> {
  (request: Request, options?: CallOptions<Response>): Promise<ApiResponse<Response>>;
  /** Parses a response that arrived by another route, such as a stream. */
  readonly read: (request: Request, received: RawResponse, previous?: ApiResponse<Response>) => ApiResponse<Response>;
}

/** One function for each endpoint in the contract's tables. */
export interface Api {
  readonly venue: { readonly [Name in EndpointName]: ApiCall<RequestOf<Name>, ResponseOf<Name>> };
  readonly desk: { readonly [Name in DeskEndpointName]: ApiCall<DeskRequestOf<Name>, DeskResponseOf<Name>> };
}

export function createApi(http: Pick<HttpClient, 'get'>): Api {
  return {
    venue: Object.fromEntries(
      ENDPOINT_NAMES.map((name) => [name, createCall(http, toVenueRequest(name))]),
    ) as unknown as Api['venue'],
    desk: createDeskCalls(http, DESK_ENDPOINTS),
  };
}

/** A table of endpoints whose responses Perpdesk computes itself. */
export type DeskTable = Readonly<
  Record<
    string,
    Pick<Endpoint, 'query' | 'response' | 'access' | 'reuseSeconds'> & {
      readonly path: string;
      readonly rows?: string;
      readonly keyFields: readonly string[];
      readonly waitsForVenue: boolean;
    }
  >
>;

export type DeskCalls<Table extends DeskTable> = {
  readonly [Name in keyof Table]: ApiCall<QueryRequest<Table[Name]['query']>, Static<Table[Name]['response']>>;
};

export function createDeskCalls<Table extends DeskTable>(
  http: Pick<HttpClient, 'get'>,
  table: Table,
): DeskCalls<Table> {
  return Object.fromEntries(
    Object.entries(table).map(([name, endpoint]) => [name, createCall(http, toDeskRequest(name, endpoint))]),
  ) as unknown as DeskCalls<Table>;
}

type ToRequest = (parameters: RequestParameters) => ApiRequest<unknown>;

function createCall(http: Pick<HttpClient, 'get'>, toRequest: ToRequest): ApiCall<RequestParameters, unknown> {
  const call = async (
    parameters: RequestParameters,
    { previous, ...options }: CallOptions<unknown> = {},
  ): Promise<ApiResponse<unknown>> => {
    const request = toRequest(parameters);
    const { target, isPrivate, isLocal } = request;
    return toApiResponse(
      request,
      await http.get(target, { ...options, isPrivate, isLocal, previousTag: previous?.tag }),
      previous,
    );
  };
  const read: ApiCall<RequestParameters, unknown>['read'] = (parameters, received, previous) =>
    toApiResponse(toRequest(parameters), received, previous);
  return Object.assign(call, { read });
}

function toVenueRequest(name: EndpointName): ToRequest {
  const endpoint: Endpoint = ENDPOINTS[name];
  const parser = createLazyParser(endpoint.response);
  const isPrivate = endpoint.access === 'signed';
  return (parameters) => ({
    endpoint: name,
    target: toTarget(endpoint, parameters),
    parse: (text, venueTime) =>
      parser().tolerant(text, createRowCheck(endpoint, toPairs(endpoint, parameters), venueTime)),
    isPrivate,
  });
}

function toDeskRequest(
  name: string,
  { path, query, response, rows, keyFields, access, waitsForVenue }: DeskTable[string],
): ToRequest {
  const parser = createLazyParser(response, rows);
  const check = createRowCheck({ pathParameters: {}, query, response, rows: { ...untimedRows, keyFields } }, [], null);
  const parse = (text: string) => parser().tolerant(text, check);
  const isPrivate = access === 'signed';
  const isLocal = !waitsForVenue;
  return (parameters) => ({
    endpoint: `desk/${name}`,
    target: path + toQuery(Object.keys(query), parameters),
    parse,
    isPrivate,
    isLocal,
  });
}

/** A page uses only a few endpoints, so each parser is created with its first response. */
function createLazyParser(schema: TSchema, rows?: string): () => Parser<unknown> {
  let parser: Parser<unknown> | null = null;
  return () => (parser ??= createParser(schema, rows));
}

/** @internal Exported for its test. */
export interface ApiRequest<T> {
  readonly endpoint: string;
  readonly target: string;
  /** `venueTime`: the exchange's time in epoch milliseconds; null if unknown. */
  readonly parse: (text: string, venueTime: number | null) => ParseResult<T>;
  /** The response belongs to an account, so the browser must not store it. */
  readonly isPrivate: boolean;
  /** Perpdesk responds without waiting for the exchange. */
  readonly isLocal?: boolean;
}

/**
 * Parses a response tolerantly. If its tag equals the previous one, the text is not parsed again, so that rows keep
 * their identity.
 *
 * @internal Exported for its test.
 */
export function toApiResponse<T>(
  { endpoint, target, parse, isLocal }: Omit<ApiRequest<T>, 'isPrivate'>,
  received: RawResponse,
  previous?: ApiResponse<T>,
): ApiResponse<T> {
  const { text, venueTime, ...source } = received;
  const { value, setAside, deviations, deviatingRows } = isSame(received, previous)
    ? previous
    : parse(text ?? '', venueTime);
  if (value === null) throw new InvalidResponseError(deviations, text ?? '');
  const cache = source.cache === 'unknown' && endpoint.startsWith('desk/') ? 'computed' : source.cache;
  return { ...source, cache, endpoint, target, value, setAside, deviations, deviatingRows, isOwn: isLocal };
}

function isSame<T>({ text, tag }: RawResponse, previous: ApiResponse<T> | undefined): previous is ApiResponse<T> {
  return previous !== undefined && (text === null || (tag !== null && tag === previous.tag));
}

/** Rows of one page of settled rates, enough for every perpetual of most exchanges: their default page sizes differ. */
export const FUNDING_ROWS = 100;

/** Parameter values by name; a list where the parameter is repeatable. */
export type RequestParameters = Readonly<Record<string, unknown>>;

/**
 * Returns the path and query of a request. Equal requests give equal texts.
 *
 * @internal Exported for its test.
 */
export function toTarget(endpoint: Endpoint, parameters: RequestParameters): string {
  const path = Object.fromEntries(
    Object.keys(endpoint.pathParameters).map((name) => [name, toTexts(parameters[name]).join()]),
  );
  return API_PREFIX + toPath(endpoint, path) + toQuery(Object.keys(endpoint.query), parameters);
}

/** Returns the names and values of a request's parameters, path parameters first. */
function toPairs(
  { pathParameters, query }: Pick<Endpoint, 'pathParameters' | 'query'>,
  parameters: RequestParameters,
): RequestPairs {
  return Object.keys({ ...pathParameters, ...query }).flatMap((name) =>
    toTexts(parameters[name]).map((text) => [name, text] as const),
  );
}

/** Returns the query string of these parameters in the given order, with its question mark; empty if there are none. */
export function toQuery(names: readonly string[], parameters: RequestParameters): string {
  const pairs = names.flatMap((name) => toTexts(parameters[name]).map((text) => `${name}=${encodeURIComponent(text)}`));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function toTexts(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}
