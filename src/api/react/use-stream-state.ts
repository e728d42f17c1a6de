import { useSyncExternalStore } from 'react';
import type { StreamState } from '../live/protocol.ts';
import { useApi } from './use-api.tsx';

/** Whether changes are pushed to this browser. */
export function useStreamState(): StreamState {
  const { live = NEVER_OPEN } = useApi();
  return useSyncExternalStore(live.subscribe, live.state);
}

const NEVER_OPEN = { subscribe: () => () => undefined, state: (): StreamState => 'closed' };
