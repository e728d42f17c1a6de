import { createContext, use, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { Clock } from './clock.ts';

const ClockContext = createContext<Clock | null>(null);

export function ClockProvider({ clock, children }: { readonly clock: Clock; readonly children: ReactNode }) {
  return <ClockContext value={clock}>{children}</ClockContext>;
}

/** Epoch milliseconds of this browser. Only what shows an age should use it: it draws again every second. */
export function useNow(): number {
  const clock = use(ClockContext);
  if (clock === null) throw new Error('Ages are told outside the clock’s provider.');
  return useSyncExternalStore(clock.subscribe, clock.read);
}
