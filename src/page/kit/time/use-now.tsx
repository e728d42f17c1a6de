import { createContext, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useRequiredContext } from '../use-required-context.ts';
import { takeSnapshot } from './keyed-snapshot.ts';
import type { Clock } from '#model/tables/clock.ts';

const ClockContext = createContext<Clock | null>(null);

export function ClockProvider({ clock, children }: { readonly clock: Clock; readonly children: ReactNode }) {
  return <ClockContext value={clock}>{children}</ClockContext>;
}

/** A value derived from the current time; renders again only when the value changes. */
export function useNowSelector<T extends string | number | boolean | null>(read: (epochMs: number) => T): T {
  const clock = useClock();
  return useSyncExternalStore(clock.subscribe, () => read(clock.read()));
}

/** A value derived from the time at which `key` was chosen: it stays the same until the key changes. */
export function useNowSnapshot<T>(key: string, read: (epochMs: number) => T): T {
  const clock = useClock();
  const readNow = (): T => read(clock.read());
  const [before, setBefore] = useState(() => takeSnapshot(null, key, readNow));
  const now = takeSnapshot(before, key, readNow);
  if (now !== before) setBefore(now);
  return now.value;
}

/** Epoch milliseconds of this browser. It renders again every second, so only small components that show an age should use it. */
export function useNow(): number {
  const clock = useClock();
  return useSyncExternalStore(clock.subscribe, clock.read);
}

/** For code outside of React’s rendering. */
export function useClock(): Clock {
  return useRequiredContext(ClockContext, 'clock');
}
