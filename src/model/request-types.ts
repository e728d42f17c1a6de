import type { Day } from '#contract/exchange/day.ts';
import type { AUDIT_KINDS } from '#contract/desk/access.ts';
import type { CHANGE_KINDS } from '#contract/desk/journal.ts';
import type { ACTIVITY_KEYS } from '#contract/desk/journal-activity.ts';
import type { Endpoint, ENDPOINTS, EndpointName } from '#contract/exchange/endpoints.ts';
import type { OrderId, ProductId } from '#contract/exchange/ids.ts';
import type { Instant } from '#contract/exchange/instant.ts';
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
  readonly at: Instant;
  /** Of a change in the journal, or of an entry of the audit log. */
  readonly kind: (typeof CHANGE_KINDS)[number] | (typeof AUDIT_KINDS)[number];
  readonly by: (typeof ACTIVITY_KEYS)[number];
  readonly bucket_seconds: number;
  readonly rule_id: string;
  readonly channel: string;
  readonly who: string;
  readonly person: string;
}

/** `never`, not a text by default, for a parameter of the table that is missing above. */
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

/** A request may be left out where nothing in it is required. */
export type RequestArguments<Request> = object extends Request
  ? readonly [request?: Request]
  : readonly [request: Request];
