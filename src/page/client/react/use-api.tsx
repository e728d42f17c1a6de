import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { createContext, useContext, type ReactNode } from 'react';
import type { Access } from '../access.ts';
import type { Api } from '../create-api.ts';
import type { Queries } from '../queries/create-queries.ts';
import type { HttpClient } from '../http-client.ts';
import type { Live } from '../live/live.ts';

export interface ApiClient {
  /** For doors to other tables than these, which are loaded when they are needed. */
  readonly http: HttpClient;
  readonly api: Api;
  readonly queries: Queries;
  /** Epoch milliseconds of the clock that freshness is measured by. */
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
