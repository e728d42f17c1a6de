import { useSyncExternalStore } from 'react';
import type { LiveState } from '../live/live.ts';
import { useApi } from './use-api.tsx';

/** Whether changes are pushed to this browser. */
export function useStreamState(): LiveState {
  const { live = NEVER_OPEN } = useApi();
  return useSyncExternalStore(live.subscribe, live.state);
}

const NEVER_OPEN = { subscribe: () => () => undefined, state: (): LiveState => 'closed' };
