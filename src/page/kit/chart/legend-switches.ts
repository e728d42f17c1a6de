import { useMemo } from 'react';
import type { UrlParam } from '#model/format/url-param.ts';
import { useUrlState } from '../navigation.tsx';

/** Hides series one by one, or all but one. */
export interface LegendSwitches {
  readonly isHidden: (name: string) => boolean;
  readonly toggle: (name: string) => void;
  /** Shows only this series, or all again if it is the only one. */
  readonly isolate: (name: string) => void;
}

/** Keeps the names of hidden series in the address. The list of all names must keep its identity between renders. */
export function useLegendSwitches(param: UrlParam<readonly string[]>, names: readonly string[]): LegendSwitches {
  const [hidden, setHidden] = useUrlState(param);
  return useMemo(
    () => ({
      isHidden: (name) => hidden.includes(name),
      toggle: (name) => {
        setHidden(hidden.includes(name) ? hidden.filter((other) => other !== name) : [...hidden, name]);
      },
      isolate: (name) => {
        const others = names.filter((other) => other !== name);
        const alone = !hidden.includes(name) && others.every((other) => hidden.includes(other));
        setHidden(alone ? [] : others);
      },
    }),
    [hidden, setHidden, names],
  );
}
