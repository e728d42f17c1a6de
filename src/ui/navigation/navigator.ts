import { createListeners, hear } from '../listeners.ts';

/** Where the page is, as its address says: the one place for what a link has to reproduce. */
export interface Navigator {
  /** Path, query and fragment. */
  readonly read: () => string;
  readonly subscribe: (listener: () => void) => () => void;
  /** A new entry in the history, unless it replaces the present one; nothing where the address stays the same. */
  readonly go: (to: string, how?: 'push' | 'replace') => void;
  /** Where a link to another screen leads from here. */
  readonly hrefOf: (to: string) => string;
}

/** What of a window a navigator needs. */
export type Frame = Pick<Window, 'location' | 'history' | 'addEventListener' | 'removeEventListener'>;

/** Parameters in `sticky` go along to every other screen: they are the reader's, not the screen's. */
export function createNavigator(frame: Frame, sticky: readonly string[]): Navigator {
  const { tell, subscribe } = createListeners(hear(frame, 'popstate', () => { tell(); }));
  const read = (): string => frame.location.pathname + frame.location.search + frame.location.hash;
  const hrefOf = (to: string): string => takeAlong(to, read(), sticky);
  return {
    read,
    hrefOf,
    subscribe,
    go: (to, how = 'push') => {
      const target = how === 'push' ? hrefOf(to) : to;
      if (target === read()) return;
      if (how === 'push') frame.history.pushState(null, '', target);
      else frame.history.replaceState(null, '', target);
      tell();
    },
  };
}

export interface Address {
  readonly path: string;
  readonly query: URLSearchParams;
}

export function parseAddress(address: string): Address {
  // The base only lets a relative address be read.
  const { pathname, searchParams } = new URL(address, 'http://page');
  return { path: pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname, query: searchParams };
}

/** `to` with those of the sticky parameters of `from` that it does not set itself. */
function takeAlong(to: string, from: string, sticky: readonly string[]): string {
  if (!from.includes('?')) return to;
  const held = parseAddress(from).query;
  const target = new URL(to, 'http://page');
  const missing = sticky.filter((name) => held.has(name) && !target.searchParams.has(name));
  if (missing.length === 0) return to;
  for (const name of missing) target.searchParams.set(name, held.get(name) ?? '');
  return target.pathname + target.search + target.hash;
}
