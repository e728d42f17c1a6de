import type { UrlParam } from '#model/format/url-param.ts';
import { createListeners, onWindowEvent } from './listeners.ts';

/** The page’s address: the single source of everything that a link reproduces. */
export interface Navigator {
  /** Path, query and fragment. */
  readonly read: () => string;
  readonly subscribe: (listener: () => void) => () => void;
  /** Adds a history entry, or replaces the current one; does nothing if the address stays the same. */
  readonly go: (to: string, how?: 'push' | 'replace') => void;
  /** Returns the address of a link to another screen, with the sticky parameters. */
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

/** Adds to `to` the sticky parameters of `from` that it does not set itself. */
function keepSticky(to: string, from: string, sticky: readonly string[]): string {
  if (!from.includes('?')) return to;
  const current = parseAddress(from).query;
  const target = new URL(to, 'http://page');
  const missing = sticky.filter((name) => current.has(name) && !target.searchParams.has(name));
  if (missing.length === 0) return to;
  for (const name of missing) target.searchParams.set(name, current.get(name) ?? '');
  return target.pathname + target.search + target.hash;
}

export function writeParam<T>(
  navigator: Navigator,
  param: UrlParam<T>,
  value: T,
  how: 'push' | 'replace' = 'replace',
): void {
  writeQuery(
    navigator,
    (query) => {
      param.write(query, value);
    },
    how,
  );
}

/** Sets several parameters at once; a change of subject is pushed as its own history entry. */
export function writeQuery(
  navigator: Navigator,
  write: (query: URLSearchParams) => void,
  how: 'push' | 'replace' = 'replace',
): void {
  const address = new URL(navigator.read(), 'http://page');
  write(address.searchParams);
  navigator.go(address.pathname + address.search + address.hash, how);
}

export function isPlainClick({
  button,
  metaKey,
  ctrlKey,
  shiftKey,
  altKey,
}: Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey'>): boolean {
  return button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);
}
