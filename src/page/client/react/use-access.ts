import { useSyncExternalStore } from 'react';
import type { DeskMe } from '#contract/desk/access.ts';
import { useApi } from './use-api.tsx';

/** Who uses this page: null where nobody signs in, and until it is known. */
export function useAccess(): DeskMe | null {
  const { access } = useApi();
  return useSyncExternalStore(access.subscribe, access.read, access.read);
}
