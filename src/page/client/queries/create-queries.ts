import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from '#contract/exchange/endpoints.ts';
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
} from '../create-api.ts';
import type { RefreshPolicy } from '../freshness.ts';
import type { PagePurpose } from '../http-client.ts';
import type { LiveMeta } from '../live/following.ts';
import type { Pushed } from '../live/live.ts';
import { toTopic } from '../live/topic-address.ts';
import { refetchOptions } from '../refetch-options.ts';
import type { RequestParameters } from '../request-target.ts';
import type { QueryRequest, RequestArguments, RequestOf, ResponseOf } from '#model/request-types.ts';

interface QueryOptions {
  readonly purpose?: PagePurpose;
  /** A longer interval than the table's, for a screen that needs many requests of one kind. */
  readonly everySeconds?: number;
}

type QueryArguments<Request> = readonly [...RequestArguments<Request>, options?: QueryOptions];

/** Options for `useQuery` and its kin. */
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

export interface QueryParts {
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

export function createQueries({ api, now, live }: QueryParts): Queries {
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
  parts: Omit<QueryParts, 'api'>,
): DeskQueries<Table> {
  const ofDesk = (name: string, policy: RefreshPolicy): QueryDefinition<unknown> => ({
    name: `desk/${name}`,
    call: calls[name] as ApiCall<RequestParameters, unknown>,
    policy,
  });
  return Object.fromEntries(
    Object.entries(table).map(([name, policy]) => [name, createQuery(ofDesk(name, policy), parts)]),
  ) as unknown as DeskQueries<Table>;
}

function createQuery(definition: QueryDefinition<unknown>, { now, live = NOTHING_PUSHED }: Omit<QueryParts, 'api'>) {
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

/** Null where no topic pushes the response, or the screen wants it less often: it then costs less to poll. */
function toLiveMeta<T>(
  { name, call }: QueryDefinition<T>,
  request: RequestParameters,
  { everySeconds = 0 }: QueryOptions,
): LiveMeta | null {
  const topic = toTopic(name, request);
  if (topic === null || everySeconds > topic.everySeconds) return null;
  return { topic, read: (received, previous) => call.read(request, received, previous as ApiResponse<T> | undefined) };
}

/** The first read of a query is interactive; later ones have the endpoint's own purpose. */
function resolvePurpose(
  client: QueryClient,
  key: readonly unknown[],
  { purpose }: QueryOptions,
): PagePurpose | undefined {
  return purpose ?? (client.getQueryData(key) === undefined ? 'interactive' : undefined);
}
