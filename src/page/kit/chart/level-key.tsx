import { useMemo, useSyncExternalStore } from 'react';
import { useKeys } from '../use-keys.tsx';
import type { ChartHandle, Crosshair } from './chart-input.ts';

/** What a key does with the value at the crosshair. */
export interface LevelAction {
  readonly key: string;
  readonly label: string;
  /** Gets null where the crosshair is at no value of the first pane. */
  readonly run: (level: number | null) => void;
}

interface LevelKeyProps {
  readonly action: LevelAction;
  readonly crosshair: Crosshair;
  readonly chart: ChartHandle;
}

/** Binds the key while there is a crosshair: elsewhere the letter is typed into a search. */
export function LevelKey({ action: { key, label, run }, crosshair, chart }: LevelKeyProps) {
  const isPointed = useSyncExternalStore(crosshair.subscribe, () => crosshair.read() !== null);
  useKeys(
    useMemo(() => {
      const runAtLevel = (): void => {
        run(chart.level());
      };
      // It is listed at all times.
      return [{ keys: key, label, group: 'Chart', ...(isPointed && { run: runAtLevel }) }];
    }, [key, label, isPointed, run, chart]),
  );
  return null;
}
