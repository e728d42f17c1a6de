import { createContext, use, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import type { Clock } from './clock.ts';

const ClockContext = createContext<Clock | null>(null);

export function ClockProvider({ clock, children }: { readonly clock: Clock; readonly children: ReactNode }) {
  return <ClockContext value={clock}>{children}</ClockContext>;
}

/** What a moment of this browser's clock makes of it: drawn again only when that is another. */
export function useFromNow<T extends string | number | boolean | null>(read: (epochMs: number) => T): T {
  const clock = useClock();
  return useSyncExternalStore(clock.subscribe, () => read(clock.read()));
}

/** What the moment makes of it at which the screen was opened: as long as that is there, the same is asked. */
export function useFromOpening<T>(read: (epochMs: number) => T): T {
  const clock = useClock();
  const [value] = useState(() => read(clock.read()));
  return value;
}

/** Epoch milliseconds of this browser. Only what shows an age should use it: it draws again every second. */
export function useNow(): number {
  const clock = useClock();
  return useSyncExternalStore(clock.subscribe, clock.read);
}

/** For what draws by hand. */
export function useClock(): Clock {
  const clock = use(ClockContext);
  if (clock === null) throw new Error('Ages are told outside the clock’s provider.');
  return clock;
}
