import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { AUDIT_KINDS } from '#contract/desk/access.ts';
import type { ACTIVITY_KEYS, CHANGE_KINDS } from '#contract/desk/journal.ts';
import type { Endpoint, ENDPOINTS, EndpointName } from '#contract/exchange/endpoints.ts';
import type { OrderId, ProductId } from '#contract/exchange/ids.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { Cursor } from '#contract/exchange/paging.ts';
import type { Static } from '#contract/exchange/schema.ts';

type Endpoints = typeof ENDPOINTS;

interface ParameterValues {
  readonly id: ProductId;
  readonly product_id: ProductId;
  readonly order_id: OrderId;
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
  readonly near_points: boolean;
  readonly at: Instant;
  /** The kind of a journal change or of an audit entry. */
  readonly kind: (typeof CHANGE_KINDS)[number] | (typeof AUDIT_KINDS)[number];
  readonly by: (typeof ACTIVITY_KEYS)[number];
  readonly bucket_seconds: number;
  readonly rule_id: string;
  /** The subject of an alert. */
  readonly group: string;
  readonly channel: string;
  readonly who: string;
  readonly person: string;
}

/** `never` rather than a default text, so that a parameter missing above does not compile. */
type ValueOf<Name, Parameter> = Name extends keyof ParameterValues
  ? Parameter extends { readonly repeatable: true }
    ? ParameterValues[Name] | readonly ParameterValues[Name][]
    : ParameterValues[Name]
  : never;

type PathParametersOf<E extends Endpoint> = {
  readonly [Name in keyof E['pathParameters']]: ValueOf<Name, E['pathParameters'][Name]>;
};
export type QueryRequest<Query> = { readonly [Name in keyof Query]?: ValueOf<Name, Query[Name]> | undefined };

export type RequestOf<Name extends EndpointName> = PathParametersOf<Endpoints[Name]> &
  QueryRequest<Endpoints[Name]['query']>;

export type ResponseOf<Name extends EndpointName> = Static<Endpoints[Name]['response']>;

/** The request is optional if all of its parameters are. */
export type RequestArguments<Request> = object extends Request
  ? readonly [request?: Request]
  : readonly [request: Request];
