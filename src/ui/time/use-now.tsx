import { createContext, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useProvided } from '../use-provided.ts';
import { atChoice } from './choice-moment.ts';
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

/** What the moment makes of it at which this was chosen: as long as the choice stands, the same is asked. */
export function useFromChoice<T>(choice: string, read: (epochMs: number) => T): T {
  const clock = useClock();
  const readNow = (): T => read(clock.read());
  const [before, setBefore] = useState(() => atChoice(null, choice, readNow));
  const now = atChoice(before, choice, readNow);
  if (now !== before) setBefore(now);
  return now.value;
}

/** Epoch milliseconds of this browser. Only what shows an age should use it: it draws again every second. */
export function useNow(): number {
  const clock = useClock();
  return useSyncExternalStore(clock.subscribe, clock.read);
}

/** For what draws by hand. */
export function useClock(): Clock {
  return useProvided(ClockContext, 'clock');
}
