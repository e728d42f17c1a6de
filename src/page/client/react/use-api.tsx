import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react';
import type { DeskMe } from '#contract/desk/access.ts';
import type { Need } from '#contract/desk/roles.ts';
import { type Access, may } from '../access.ts';
import type { Live, LiveState } from '../live/live.ts';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Api } from '../create-api.ts';
import type { Queries } from '../queries/create-queries.ts';
import type { HttpClient } from '../http-client.ts';

export interface ApiClient {
  /** For endpoint tables other than these, which are loaded on demand. */
  readonly http: HttpClient;
  readonly api: Api;
  readonly queries: Queries;
  /** Epoch milliseconds, by the clock that freshness is measured with. */
  readonly now: () => number;
  /** Undefined in a page that only polls. */
  readonly live?: Pick<Live, 'state' | 'subscribe' | 'pushedAt'>;
  readonly access: Access;
}

const ApiContext = createContext<ApiClient | null>(null);

interface ApiProviderProps {
  readonly apiClient: ApiClient;
  readonly queryClient: QueryClient;
  readonly children: ReactNode;
}

export function ApiProvider({ apiClient, queryClient, children }: ApiProviderProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <ApiContext value={apiClient}>{children}</ApiContext>
    </QueryClientProvider>
  );
}

export function useApi(): ApiClient {
  const client = useContext(ApiContext);
  if (client === null) throw new Error('useApi is used outside of ApiProvider.');
  return client;
}

/** Returns who uses this page; null where nobody has to sign in, and until it is known. */
export function useAccess(): DeskMe | null {
  const { access } = useApi();
  return useSyncExternalStore(access.subscribe, access.read, access.read);
}

/** Returns whether the person may open a page with this need. Links to other pages are hidden. */
export function useMay(needs: Need): boolean {
  return may(useAccess(), needs);
}

/** Returns whether changes are pushed to this browser. */
export function useStreamState(): LiveState {
  const { live = NEVER_OPEN } = useApi();
  return useSyncExternalStore(live.subscribe, live.state);
}

const NEVER_OPEN = { subscribe: () => () => undefined, state: (): LiveState => 'closed' };
