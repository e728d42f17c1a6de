import { createContext, useCallback, useMemo, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useRequiredContext } from '../use-required-context.ts';
import { useStable } from '../use-stable.ts';
import { parseAddress, type Address, type Navigator } from './navigator.ts';
import type { UrlParam } from '#model/format/url-param.ts';
import { writeParam } from './write-query.ts';

const NavigatorContext = createContext<Navigator | null>(null);

export function NavigationProvider({
  navigator,
  children,
}: {
  readonly navigator: Navigator;
  readonly children: ReactNode;
}) {
  return <NavigatorContext value={navigator}>{children}</NavigatorContext>;
}

export function useNavigator(): Navigator {
  return useRequiredContext(NavigatorContext, 'navigator');
}

export function useAddress(): Address {
  const { subscribe, read } = useNavigator();
  const address = useSyncExternalStore(subscribe, read);
  return useMemo(() => parseAddress(address), [address]);
}

/** State in the address. Setting it replaces the current history entry, so that Back does not step through every filter; with `push`, Back undoes it. */
export function useUrlState<T>(
  param: UrlParam<T>,
  how: 'push' | 'replace' = 'replace',
): readonly [value: T, set: (value: T) => void] {
  const navigator = useNavigator();
  const { query } = useAddress();
  const value = useStable(useMemo(() => param.read(query), [param, query]));
  const set = useCallback(
    (next: T) => {
      writeParam(navigator, param, next, how);
    },
    [navigator, param, how],
  );
  return [value, set];
}
