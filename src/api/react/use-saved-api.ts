import { useMutation, useQueryClient } from '@tanstack/react-query';
import { SAVED_ACTIONS, SAVED_ENDPOINTS } from '#contract/desk-saved.ts';
import { createActions, type Actions } from '../create-actions.ts';
import { createDeskCalls } from '../create-api.ts';
import { createDeskQueries, type DeskQueries } from '../create-queries.ts';
import { useApi, type ApiClient } from './use-api.tsx';

/** Views that people share. Not in `useApi`: the first screen has no room for it. */
interface SavedApi {
  readonly queries: DeskQueries<typeof SAVED_ENDPOINTS>;
  readonly actions: Actions<typeof SAVED_ACTIONS>;
}

/** Each client’s, so that parsers are made once. */
const opened = new WeakMap<ApiClient, SavedApi>();

export function useSavedApi(): SavedApi {
  const client = useApi();
  return opened.get(client) ?? open(client);
}

function open(client: ApiClient): SavedApi {
  const { http, now, live } = client;
  const api = { queries: createDeskQueries(SAVED_ENDPOINTS, createDeskCalls(http, SAVED_ENDPOINTS), { now, live }), actions: createActions(http, SAVED_ACTIONS) };
  opened.set(client, api);
  return api;
}

type ActionName = 'shareView' | 'unshareView';
type InputOf<Name extends ActionName> = Parameters<SavedApi['actions'][Name]>[0];
type ResultOf<Name extends ActionName> = Awaited<ReturnType<SavedApi['actions'][Name]>>;

/** Does one action, and then reads the shared views again. */
export function useShareAction<Name extends ActionName>(name: Name) {
  const { actions, queries } = useSavedApi();
  const client = useQueryClient();
  return useMutation<ResultOf<Name>, Error, InputOf<Name>>({
    mutationFn: actions[name] as (input: InputOf<Name>) => Promise<ResultOf<Name>>,
    onSettled: () => client.invalidateQueries({ queryKey: queries.sharedViews().queryKey }),
    networkMode: 'always',
  });
}
