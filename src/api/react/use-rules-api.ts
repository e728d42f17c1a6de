import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RULE_ENDPOINTS } from '#contract/desk-alerts.ts';
import { DESK_ACTIONS } from '#contract/desk-actions.ts';
import { createActions, type Actions } from '../create-actions.ts';
import { createDeskCalls, type DeskCalls } from '../create-api.ts';
import { createDeskQueries, type DeskQueries } from '../create-queries.ts';
import { useApi, type ApiClient } from './use-api.tsx';

/** Rules and alerts, and what changes them. Not in `useApi`: the first screen has no room for it. */
interface RulesApi {
  readonly calls: DeskCalls<typeof RULE_ENDPOINTS>;
  readonly queries: DeskQueries<typeof RULE_ENDPOINTS>;
  readonly actions: Actions<typeof DESK_ACTIONS>;
}

/** Each client’s, so that parsers are made once. */
const opened = new WeakMap<ApiClient, RulesApi>();

export function useRulesApi(): RulesApi {
  const client = useApi();
  return opened.get(client) ?? open(client);
}

function open(client: ApiClient): RulesApi {
  const { http, now, live } = client;
  const calls = createDeskCalls(http, RULE_ENDPOINTS);
  const api = { calls, queries: createDeskQueries(RULE_ENDPOINTS, calls, { now, live }), actions: createActions(http, DESK_ACTIONS) };
  opened.set(client, api);
  return api;
}

type ActionName = keyof typeof DESK_ACTIONS;
type InputOf<Name extends ActionName> = Parameters<RulesApi['actions'][Name]>[0];
type ResultOf<Name extends ActionName> = Awaited<ReturnType<RulesApi['actions'][Name]>>;

/** Does one action, and then reads again all that it may have changed. */
export function useAction<Name extends ActionName>(name: Name) {
  const { actions, queries } = useRulesApi();
  const client = useQueryClient();
  return useMutation<ResultOf<Name>, Error, InputOf<Name>>({
    mutationFn: actions[name] as (input: InputOf<Name>) => Promise<ResultOf<Name>>,
    onSettled: () => Promise.all(Object.values(queries).map((query) => client.invalidateQueries({ queryKey: query().queryKey.slice(0, 1) }))),
    networkMode: 'always',
  });
}
