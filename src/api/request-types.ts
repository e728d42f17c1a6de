import type { Day } from '#contract/day.ts';
import type { Endpoint, ENDPOINTS, EndpointName } from '#contract/endpoints.ts';
import type { ProductId } from '#contract/ids.ts';
import type { Instant } from '#contract/instant.ts';
import type { Order } from '#contract/order.ts';
import type { Cursor } from '#contract/paging.ts';
import type { Static } from '#contract/schema.ts';

type Endpoints = typeof ENDPOINTS;

/** What each parameter of the interface is, by its name. */
interface ParameterValues {
  readonly id: ProductId;
  readonly product_id: ProductId;
  readonly base_symbol: string;
  readonly symbol: string;
  readonly product_type: Order['product_type'];
  readonly clearing_member_code: string;
  readonly account_id: string;
  readonly connection_id: string;
  readonly limit: number;
  readonly begin_time: Instant;
  readonly end_time: Instant | 'now';
  readonly day: Day;
  readonly order: 'asc' | 'desc';
  readonly cursor: Cursor;
  readonly active: boolean;
}

/** A parameter the table has and this file does not is an error here, not a text by default. */
type ValueOf<Name, Parameter> = Name extends keyof ParameterValues
  ? Parameter extends { readonly repeatable: true }
    ? ParameterValues[Name] | readonly ParameterValues[Name][]
    : ParameterValues[Name]
  : never;

type PathParametersOf<E extends Endpoint> = { readonly [Name in keyof E['pathParameters']]: ValueOf<Name, E['pathParameters'][Name]> };
/** What is wanted of a query. */
export type QueryRequest<Query> = { readonly [Name in keyof Query]?: ValueOf<Name, Query[Name]> | undefined };

/** What an endpoint may be asked: its path parameters, and those of its query that are wanted. */
export type RequestOf<Name extends EndpointName> = PathParametersOf<Endpoints[Name]> & QueryRequest<Endpoints[Name]['query']>;

/** What it answers. */
export type ResponseOf<Name extends EndpointName> = Static<Endpoints[Name]['response']>;

/** A request that may be left out where nothing in it is required. */
export type RequestArguments<Request> = object extends Request ? readonly [request?: Request] : readonly [request: Request];
