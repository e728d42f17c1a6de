import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { type Address, isPlainClick, type Navigator, parseAddress, writeParam } from './navigator.ts';
import { useRequiredContext } from './use-required-context.ts';
import { useStable } from './use-stable.ts';
import type { UrlParam } from '#model/format/url-param.ts';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  readonly to: string;
}

/** A real link. Only plain clicks are handled here, so that opening it in a new tab and copying it work. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const navigator = useNavigator();
  // Subscribes to its own href only, so that a change of a filter does not render all links again.
  const href = useSyncExternalStore(navigator.subscribe, () => navigator.hrefOf(to));
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    navigator.go(to);
  };
  return <a {...rest} href={href} onClick={follow} />;
}

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

/**
 * Returns state in the address, and a function that sets it. Setting replaces the current history entry, so that Back
 * does not step through every filter; with `push`, Back undoes it.
 */
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
