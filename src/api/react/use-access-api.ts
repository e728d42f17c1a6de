import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ACCESS_ACTIONS, ACCESS_ENDPOINTS } from '#contract/desk-access.ts';
import { createActions, type Actions } from '../create-actions.ts';
import { createDeskCalls, type DeskCalls } from '../create-api.ts';
import { createDeskQueries, type DeskQueries } from '../create-queries.ts';
import { useApi, type ApiClient } from './use-api.tsx';

/** People, sessions and tokens, and what changes them. Not in `useApi`: where nobody signs in, none of it is loaded. */
interface AccessApi {
  readonly calls: DeskCalls<typeof ACCESS_ENDPOINTS>;
  readonly queries: DeskQueries<typeof ACCESS_ENDPOINTS>;
  readonly actions: Actions<typeof ACCESS_ACTIONS>;
}

/** Each client’s, so that parsers are made once. */
const opened = new WeakMap<ApiClient, AccessApi>();

export function useAccessApi(): AccessApi {
  const client = useApi();
  return opened.get(client) ?? open(client);
}

function open(client: ApiClient): AccessApi {
  const { http, now, live } = client;
  const calls = createDeskCalls(http, ACCESS_ENDPOINTS);
  const api = { calls, queries: createDeskQueries(ACCESS_ENDPOINTS, calls, { now, live }), actions: createActions(http, ACCESS_ACTIONS) };
  opened.set(client, api);
  return api;
}

type ActionName = keyof typeof ACCESS_ACTIONS;
type InputOf<Name extends ActionName> = Parameters<AccessApi['actions'][Name]>[0];
type ResultOf<Name extends ActionName> = Awaited<ReturnType<AccessApi['actions'][Name]>>;

/** Does one action, and then reads again all that it may have changed, who is signed in included. */
export function useAccessAction<Name extends ActionName>(name: Name) {
  const { actions, queries } = useAccessApi();
  const { access } = useApi();
  const client = useQueryClient();
  return useMutation<ResultOf<Name>, Error, InputOf<Name>>({
    mutationFn: actions[name] as (input: InputOf<Name>) => Promise<ResultOf<Name>>,
    onSettled: () => Promise.all(Object.values(queries).map((query) => client.invalidateQueries({ queryKey: query().queryKey.slice(0, 1) }))),
    onSuccess: () => access.check(),
    networkMode: 'always',
  });
}
