import { parametersOf, rowsFieldOf, type Topic, TOPIC_NAMES, TOPICS } from '#contract/desk/topics.ts';
import type { FollowedTopic, LiveMeta, Pushed } from '../live/live.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { ENDPOINT_NAMES, type EndpointName, ENDPOINTS } from '#contract/exchange/endpoints.ts';
import type { Static } from '#contract/exchange/schema.ts';
import type { ApiResponse } from '#model/response.ts';
import type {
  Api,
  ApiCall,
  DeskCalls,
  DeskEndpointName,
  DeskRequestOf,
  DeskResponseOf,
  DeskTable,
  RequestParameters,
} from '../create-api.ts';
import { refetchOptions, type RefreshPolicy } from '../freshness.ts';
import type { PagePurpose } from '../http-client.ts';
import type { QueryRequest, RequestArguments, RequestOf, ResponseOf } from '#model/request-types.ts';

interface QueryOptions {
  readonly purpose?: PagePurpose;
  /** A longer interval than the table's, for a screen that needs many requests of one kind. */
  readonly everySeconds?: number;
}

type QueryArguments<Request> = readonly [...RequestArguments<Request>, options?: QueryOptions];

/** Options for `useQuery` and similar hooks. */
type ApiQuery<T> = ReturnType<typeof toApiQuery<T>>;

/** One query for each endpoint in the contract's tables. */
export interface Queries {
  readonly venue: {
    readonly [Name in EndpointName]: (...request: QueryArguments<RequestOf<Name>>) => ApiQuery<ResponseOf<Name>>;
  };
  readonly desk: {
    readonly [Name in DeskEndpointName]: (
      ...request: QueryArguments<DeskRequestOf<Name>>
    ) => ApiQuery<DeskResponseOf<Name>>;
  };
}

export interface QueryDeps {
  readonly api: Api;
  readonly now: () => number;
  /** Without it, all queries are polled. */
  readonly live?: Pushed | undefined;
}

interface QueryDefinition<Response> {
  readonly name: string;
  readonly call: ApiCall<RequestParameters, Response>;
  readonly policy: RefreshPolicy;
}

export function createQueries({ api, now, live }: QueryDeps): Queries {
  const ofVenue = (name: EndpointName): QueryDefinition<unknown> => ({
    name,
    call: api.venue[name] as ApiCall<RequestParameters, unknown>,
    policy: ENDPOINTS[name],
  });
  return {
    venue: Object.fromEntries(
      ENDPOINT_NAMES.map((name) => [name, createQuery(ofVenue(name), { now, live })]),
    ) as unknown as Queries['venue'],
    desk: createDeskQueries(DESK_ENDPOINTS, api.desk, { now, live }),
  };
}

export type DeskQueries<Table extends DeskTable> = {
  readonly [Name in keyof Table]: (
    ...request: QueryArguments<QueryRequest<Table[Name]['query']>>
  ) => ApiQuery<Static<Table[Name]['response']>>;
};

export function createDeskQueries<Table extends DeskTable>(
  table: Table,
  calls: DeskCalls<Table>,
  deps: Omit<QueryDeps, 'api'>,
): DeskQueries<Table> {
  const ofDesk = (name: string, policy: RefreshPolicy): QueryDefinition<unknown> => ({
    name: `desk/${name}`,
    call: calls[name] as ApiCall<RequestParameters, unknown>,
    policy,
  });
  return Object.fromEntries(
    Object.entries(table).map(([name, policy]) => [name, createQuery(ofDesk(name, policy), deps)]),
  ) as unknown as DeskQueries<Table>;
}

function createQuery(definition: QueryDefinition<unknown>, { now, live = NOTHING_PUSHED }: Omit<QueryDeps, 'api'>) {
  return (request?: RequestParameters, options?: QueryOptions) =>
    toApiQuery(definition, request ?? {}, options ?? {}, { now, live });
}

function toApiQuery<T>(
  { name, call, policy }: QueryDefinition<T>,
  request: RequestParameters,
  options: QueryOptions,
  { now, live }: { readonly now: () => number; readonly live: Pushed },
) {
  const pushed = toLiveMeta({ name, call, policy }, request, options);
  const queryKey = [name, request] as const;
  return queryOptions({
    queryKey,
    queryFn: ({ client, signal }) => {
      const previous = client.getQueryData<ApiResponse<T>>(queryKey);
      return call(request, { signal, previous, purpose: resolvePurpose(client, queryKey, options) });
    },
    ...(pushed !== null && { meta: { live: pushed } }),
    ...refetchOptions<ApiResponse<T>, typeof queryKey>(
      { reuseSeconds: policy.reuseSeconds, everySeconds: options.everySeconds ?? 0 },
      now,
      () => (pushed === null ? 0 : live.pushedAt(pushed.topic.address)),
    ),
  });
}

const NOTHING_PUSHED: Pushed = { pushedAt: () => 0 };

/**
 * Returns null if no topic pushes the response, or if the screen needs it less often, because polling is then cheaper.
 */
function toLiveMeta<T>(
  { name, call }: QueryDefinition<T>,
  request: RequestParameters,
  { everySeconds = 0 }: QueryOptions,
): LiveMeta | null {
  const topic = toTopic(name, request);
  if (topic === null || everySeconds > topic.everySeconds) return null;
  return { topic, read: (received, previous) => call.read(request, received, previous as ApiResponse<T> | undefined) };
}

/** The first read of a query is interactive. Later reads have the endpoint's own purpose. */
function resolvePurpose(
  client: QueryClient,
  key: readonly unknown[],
  { purpose }: QueryOptions,
): PagePurpose | undefined {
  return purpose ?? (client.getQueryData(key) === undefined ? 'interactive' : undefined);
}

/** A topic that pushes the response to a request. */
interface TopicOfRequest extends FollowedTopic {
  readonly everySeconds: number;
}

const NAMES = new Map(TOPIC_NAMES.map((name) => [TOPICS[name].endpoint as string, name]));

/**
 * Returns the topic that pushes the response to a request; null if there is none. `endpoint` is the name in the
 * endpoint table, or `desk/…`. The address is the server's own form, `name?query`, with parameters in table order.
 */
function toTopic(endpoint: string, request: RequestParameters): TopicOfRequest | null {
  const name = NAMES.get(endpoint);
  if (name === undefined) return null;
  const topic: Topic = TOPICS[name];
  const values: Readonly<Record<string, unknown>> = request;
  const given = Object.keys(parametersOf(topic)).filter((parameter) => values[parameter] !== undefined);
  const query = given.map((parameter) => `${parameter}=${encodeURIComponent(String(values[parameter]))}`).join('&');
  const { key, account, everySeconds } = topic;
  return {
    address: query === '' ? name : `${name}?${query}`,
    key,
    account,
    everySeconds,
    rowsField: key === null ? null : rowsFieldOf(topic),
  };
}
