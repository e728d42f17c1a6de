import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DeskAction } from '#contract/desk/actions.ts';
import { createActions, type Actions } from '../create-actions.ts';
import { createDeskCalls, type DeskCalls, type DeskTable } from '../create-api.ts';
import { createDeskQueries, type DeskQueries } from '../queries/create-queries.ts';
import { useApi, type ApiClient } from './use-api.tsx';

interface DeskApi<Endpoints extends DeskTable, Acts extends ActionTable> {
  readonly calls: DeskCalls<Endpoints>;
  readonly queries: DeskQueries<Endpoints>;
  readonly actions: Actions<Acts>;
}

type AnyQuery = () => { readonly queryKey: readonly unknown[] };
type ActionTable = Readonly<Record<string, DeskAction>>;
type InputOf<Acts extends ActionTable, Name extends keyof Acts> = Parameters<Actions<Acts>[Name]>[0];
type ResultOf<Acts extends ActionTable, Name extends keyof Acts> = Awaited<ReturnType<Actions<Acts>[Name]>>;

/** Runs an action, possibly a second time. */
export type Run = <Result>(act: () => Promise<Result>) => Promise<Result>;

const runOnce: Run = (act) => act();

function withRun<Acts extends ActionTable>(actions: Actions<Acts>, run: Run): Actions<Acts> {
  const wrapped = Object.entries<(input: object) => Promise<unknown>>(
    actions as unknown as Readonly<Record<string, (input: object) => Promise<unknown>>>,
  ).map(([name, act]) => [name, (input: object) => run(() => act(input))]);
  return Object.fromEntries(wrapped) as Actions<Acts>;
}

/**
 * Creates hooks for a table of endpoints and for the actions that change their responses. These tables are not part of
 * `useApi`, so that only the pages that need them load them. After an action, all queries of the table are read again.
 */
export function createDeskHooks<Endpoints extends DeskTable, Acts extends ActionTable>(
  endpoints: Endpoints,
  acts: Acts,
  onSuccess: (client: ApiClient) => unknown = () => undefined,
  toRun: (client: ApiClient) => Run = () => runOnce,
) {
  /** Kept per client, so that parsers are created once. */
  const opened = new WeakMap<ApiClient, DeskApi<Endpoints, Acts>>();
  const open = (client: ApiClient): DeskApi<Endpoints, Acts> => {
    const { http, now, live } = client;
    const calls = createDeskCalls(http, endpoints);
    const api = {
      calls,
      queries: createDeskQueries(endpoints, calls, { now, live }),
      actions: withRun(createActions(http, acts), toRun(client)),
    };
    opened.set(client, api);
    return api;
  };
  const useDeskApi = (): DeskApi<Endpoints, Acts> => {
    const client = useApi();
    return opened.get(client) ?? open(client);
  };
  const useDeskAction = <Name extends keyof Acts>(name: Name) => {
    const { actions, queries } = useDeskApi();
    const api = useApi();
    const client = useQueryClient();
    return useMutation<ResultOf<Acts, Name>, Error, InputOf<Acts, Name>>({
      mutationFn: actions[name] as (input: InputOf<Acts, Name>) => Promise<ResultOf<Acts, Name>>,
      onSettled: () =>
        Promise.all(
          Object.values<AnyQuery>(queries).map((query) =>
            client.invalidateQueries({ queryKey: query().queryKey.slice(0, 1) }),
          ),
        ),
      onSuccess: () => onSuccess(api),
      networkMode: 'always',
    });
  };
  return [useDeskApi, useDeskAction] as const;
}
