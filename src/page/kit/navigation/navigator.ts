import { createListeners, onWindowEvent } from '../listeners.ts';

/** The page’s address: the single source of everything that a link reproduces. */
export interface Navigator {
  /** Path, query and fragment. */
  readonly read: () => string;
  readonly subscribe: (listener: () => void) => () => void;
  /** Adds a history entry, or replaces the current one; does nothing where the address stays the same. */
  readonly go: (to: string, how?: 'push' | 'replace') => void;
  /** Address of a link to another screen, with the sticky parameters. */
  readonly hrefOf: (to: string) => string;
}

export type Frame = Pick<Window, 'location' | 'history' | 'addEventListener' | 'removeEventListener'>;

/** Parameters in `sticky` are kept across screens: they belong to the user, not to a screen. */
export function createNavigator(frame: Frame, sticky: readonly string[]): Navigator {
  const { notify, subscribe } = createListeners(
    onWindowEvent(frame, 'popstate', () => {
      notify();
    }),
  );
  const read = (): string => frame.location.pathname + frame.location.search + frame.location.hash;
  const hrefOf = (to: string): string => keepSticky(to, read(), sticky);
  return {
    read,
    hrefOf,
    subscribe,
    go: (to, how = 'push') => {
      const target = how === 'push' ? hrefOf(to) : to;
      if (target === read()) return;
      if (how === 'push') frame.history.pushState(null, '', target);
      else frame.history.replaceState(null, '', target);
      notify();
    },
  };
}

export interface Address {
  readonly path: string;
  readonly query: URLSearchParams;
}

export function parseAddress(address: string): Address {
  // The base only makes a relative address parse.
  const { pathname, searchParams } = new URL(address, 'http://page');
  return { path: pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname, query: searchParams };
}

/** `to` with the sticky parameters of `from` that it does not set itself. */
function keepSticky(to: string, from: string, sticky: readonly string[]): string {
  if (!from.includes('?')) return to;
  const current = parseAddress(from).query;
  const target = new URL(to, 'http://page');
  const missing = sticky.filter((name) => current.has(name) && !target.searchParams.has(name));
  if (missing.length === 0) return to;
  for (const name of missing) target.searchParams.set(name, current.get(name) ?? '');
  return target.pathname + target.search + target.hash;
}
