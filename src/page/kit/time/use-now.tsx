import { createContext, type ReactNode, useState, useSyncExternalStore } from 'react';
import { useRequiredContext } from '../use-required-context.ts';
import type { Clock } from '#model/tables/clock.ts';

/** A value read once for a key. */
interface KeyedSnapshot<T> {
  readonly key: string;
  readonly value: T;
}

/**
 * Returns the same snapshot while the key stays the same; reads again for another key.
 *
 * @internal Exported for its test.
 */
export function takeSnapshot<T>(before: KeyedSnapshot<T> | null, key: string, read: () => T): KeyedSnapshot<T> {
  return before?.key === key ? before : { key, value: read() };
}

const ClockContext = createContext<Clock | null>(null);

export function ClockProvider({ clock, children }: { readonly clock: Clock; readonly children: ReactNode }) {
  return <ClockContext value={clock}>{children}</ClockContext>;
}

/** Returns a value derived from the current time; renders again only when the value changes. */
export function useNowSelector<T extends string | number | boolean | null>(read: (epochMs: number) => T): T {
  const clock = useClock();
  return useSyncExternalStore(clock.subscribe, () => read(clock.read()));
}

/** Returns a value derived from the time at which `key` was chosen: it stays the same until the key changes. */
export function useNowSnapshot<T>(key: string, read: (epochMs: number) => T): T {
  const clock = useClock();
  const readNow = (): T => read(clock.read());
  const [before, setBefore] = useState(() => takeSnapshot(null, key, readNow));
  const now = takeSnapshot(before, key, readNow);
  if (now !== before) setBefore(now);
  return now.value;
}

/**
 * Returns this browser’s time in epoch milliseconds. It renders again every second, so only small components that show
 * an age should use it.
 */
export function useNow(): number {
  const clock = useClock();
  return useSyncExternalStore(clock.subscribe, clock.read);
}

/** Returns the clock itself, for code outside React’s rendering. */
export function useClock(): Clock {
  return useRequiredContext(ClockContext, 'clock');
}
