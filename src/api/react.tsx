import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { createContext, useContext, type ReactNode } from 'react';
import type { Api } from './create-api.ts';
import type { Queries } from './create-queries.ts';

/** What every screen reads through. */
export interface Door {
  readonly api: Api;
  readonly queries: Queries;
  /** The clock that freshness is told by, in epoch milliseconds. */
  readonly now: () => number;
}

const DoorContext = createContext<Door | null>(null);

export function DoorProvider({ door, client, children }: { readonly door: Door; readonly client: QueryClient; readonly children: ReactNode }) {
  return (
    <QueryClientProvider client={client}>
      <DoorContext value={door}>{children}</DoorContext>
    </QueryClientProvider>
  );
}

/** The door that the app has opened. */
export function useDoor(): Door {
  const door = useContext(DoorContext);
  if (door === null) throw new Error('A screen stands outside of DoorProvider.');
  return door;
}
