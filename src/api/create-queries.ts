import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { DESK_ANSWERS } from '#contract/desk.ts';
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from '#contract/endpoints.ts';
import type { Answer } from './answer.ts';
import type { Api, Ask, DeskAnswerName, DeskRequestOf, DeskResponseOf } from './create-api.ts';
import type { Pace } from './freshness.ts';
import type { PagePurpose } from './http-client.ts';
import { refreshedAtPace } from './refresh.ts';
import type { Parameters } from './request-target.ts';
import type { RequestArguments, RequestOf, ResponseOf } from './request-types.ts';

interface QueryOptions {
  /** Nobody waits for it yet: it comes last where requests are scarce. */
  readonly purpose?: PagePurpose;
  /** At most this often, where a screen asks so many of a kind that the table's pace would cost too much. */
  readonly everySeconds?: number;
}

type Arguments<Request> = readonly [...RequestArguments<Request>, options?: QueryOptions];

/** The options of a query, for `useQuery` and its kin. */
type AnswerQuery<T> = ReturnType<typeof toAnswerQuery<T>>;

/** A query for each endpoint of the table, and each answer of the desk's own. */
export interface Queries {
  readonly venue: { readonly [Name in EndpointName]: (...asked: Arguments<RequestOf<Name>>) => AnswerQuery<ResponseOf<Name>> };
  readonly desk: { readonly [Name in DeskAnswerName]: (...asked: Arguments<DeskRequestOf<Name>>) => AnswerQuery<DeskResponseOf<Name>> };
}

/** How often the desk's own answers change, for screens, which do not see the contract's tables. */
export const DESK_PACES: Readonly<Record<DeskAnswerName, Pace>> = DESK_ANSWERS;

export interface QueryParts {
  readonly api: Api;
  readonly now: () => number;
}

interface Subject<Response> {
  readonly name: string;
  readonly ask: Ask<Parameters, Response>;
  readonly pace: Pace;
}

export function createQueries({ api, now }: QueryParts): Queries {
  const ofVenue = (name: EndpointName): Subject<unknown> => ({ name, ask: api.venue[name] as Ask<Parameters, unknown>, pace: ENDPOINTS[name] });
  const ofDesk = (name: DeskAnswerName): Subject<unknown> => ({
    name: `desk/${name}`,
    ask: api.desk[name] as Ask<Parameters, unknown>,
    pace: DESK_PACES[name],
  });
  const answers = (subject: Subject<unknown>) => (request?: Parameters, options?: QueryOptions) =>
    toAnswerQuery(subject, request ?? {}, options ?? {}, now);

  const deskNames = Object.keys(DESK_ANSWERS) as readonly DeskAnswerName[];
  return {
    venue: Object.fromEntries(ENDPOINT_NAMES.map((name) => [name, answers(ofVenue(name))])) as unknown as Queries['venue'],
    desk: Object.fromEntries(deskNames.map((name) => [name, answers(ofDesk(name))])) as unknown as Queries['desk'],
  };
}

function toAnswerQuery<T>({ name, ask, pace }: Subject<T>, request: Parameters, options: QueryOptions, now: () => number) {
  const queryKey = [name, request] as const;
  return queryOptions({
    queryKey,
    queryFn: ({ client, signal }) => {
      const previous = client.getQueryData<Answer<T>>(queryKey);
      return ask(request, { signal, previous, purpose: toPurpose(client, queryKey, options) });
    },
    ...refreshedAtPace<Answer<T>, typeof queryKey>({ reuseSeconds: pace.reuseSeconds, everySeconds: options.everySeconds ?? 0 }, now),
  });
}

/** Somebody waits for what is not there yet; later reads come in the endpoint's own turn. */
function toPurpose(client: QueryClient, key: readonly unknown[], { purpose }: QueryOptions): PagePurpose | undefined {
  return purpose ?? (client.getQueryData(key) === undefined ? 'click' : undefined);
}
