import { useSyncExternalStore } from 'react';
import type { DeskMe } from '#contract/desk-access.ts';
import type { Access } from '../access.ts';
import { useApi } from './use-api.tsx';

const NOBODY: Pick<Access, 'read' | 'subscribe'> = { read: () => null, subscribe: () => () => undefined };

/** Who uses this page: null where nobody signs in, and until it is known. */
export function useAccess(): DeskMe | null {
  const { access: { subscribe, read } = NOBODY } = useApi();
  return useSyncExternalStore(subscribe, read, read);
}
