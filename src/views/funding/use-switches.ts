import { useMemo } from 'react';
import type { LegendSwitches } from '#ui/chart/chart-legend.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { COMPARE_PARAMS } from './compare-params.ts';

/** What the legend hides, in the address. */
export function useSwitches(symbols: readonly string[]): LegendSwitches {
  const [hidden, setHidden] = useUrlState(COMPARE_PARAMS.hidden);
  return useMemo(
    () => ({
      isHidden: (name) => hidden.includes(name),
      toggle: (name) => {
        setHidden(hidden.includes(name) ? hidden.filter((other) => other !== name) : [...hidden, name]);
      },
      isolate: (name) => {
        const others = symbols.filter((other) => other !== name);
        const alone = !hidden.includes(name) && others.every((other) => hidden.includes(other));
        setHidden(alone ? [] : others);
      },
    }),
    [hidden, setHidden, symbols],
  );
}
