import type { ENDPOINTS, EndpointName } from '#contract/exchange/endpoints.ts';
import type { Exchange } from '../core/ports.ts';
import type { createCachedListWriter, JsonBody } from './response.ts';
import type { Credential } from './authenticate.ts';
import type { Cursors } from './paging.ts';

type Table = typeof ENDPOINTS;

/** A request that has been routed, checked against the table and, if required, authenticated. */
export interface ApiRequest<Name extends EndpointName> {
  readonly path: Readonly<Record<keyof Table[Name]['pathParameters'], string>>;
  readonly query: Readonly<Partial<Record<keyof Table[Name]['query'], readonly string[]>>>;
  /** Null at public endpoints. */
  readonly identity: Credential | null;
}

export interface HandlerContext {
  readonly exchange: Exchange;
  readonly cursors: Cursors;
  readonly writeList: ReturnType<typeof createCachedListWriter>;
}

export type Handler<Name extends EndpointName> = (
  request: ApiRequest<Name>,
  context: HandlerContext,
) => JsonBody | Promise<JsonBody>;
