import { createContext, useCallback, useMemo, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { useProvided } from '../use-provided.ts';
import { useSame } from '../use-same.ts';
import { parseAddress, type Address, type Navigator } from './navigator.ts';
import type { UrlParam } from './url-param.ts';

const NavigatorContext = createContext<Navigator | null>(null);

export function NavigationProvider({ navigator, children }: { readonly navigator: Navigator; readonly children: ReactNode }) {
  return <NavigatorContext value={navigator}>{children}</NavigatorContext>;
}

export function useNavigator(): Navigator {
  return useProvided(NavigatorContext, 'navigator');
}

export function useAddress(): Address {
  const { subscribe, read } = useNavigator();
  const address = useSyncExternalStore(subscribe, read);
  return useMemo(() => parseAddress(address), [address]);
}

/**
 * State that a link reproduces. Setting it replaces the present entry of the history, since nobody wants to walk back
 * through every filter.
 */
export function useUrlState<T>(param: UrlParam<T>): readonly [value: T, set: (value: T) => void] {
  const navigator = useNavigator();
  const { query } = useAddress();
  const value = useSame(useMemo(() => param.read(query), [param, query]));
  const set = useCallback(
    (next: T) => {
      writeParam(navigator, param, next);
    },
    [navigator, param],
  );
  return [value, set];
}

export function writeParam<T>(navigator: Navigator, param: UrlParam<T>, value: T): void {
  writeQuery(navigator, (query) => {
    param.write(query, value);
  });
}

/** Several parameters at once; another subject is an entry of the history of its own. */
export function writeQuery(navigator: Navigator, write: (query: URLSearchParams) => void, how: 'push' | 'replace' = 'replace'): void {
  const address = new URL(navigator.read(), 'http://page');
  write(address.searchParams);
  navigator.go(address.pathname + address.search + address.hash, how);
}
