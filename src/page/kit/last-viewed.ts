import { createStoredValue, type Frame, parseFields } from './stored-value.ts';
import { useEffect, useMemo, useState } from 'react';
import { useAddress, useNavigator } from './navigation.tsx';

interface RecentlyViewed {
  /** The latest first. */
  readonly read: () => readonly string[];
  readonly add: (name: string) => void;
}

const VERSION = 1;
/** Enough names for going back and forth between them. */
const KEPT = 8;

/** Creates the list of what was recently viewed of a kind, such as products, on any screen. */
export function createRecentlyViewed(frame: Frame, kind: string): RecentlyViewed {
  const { read, write } = createStoredValue(frame, `perpdesk.recent.${kind}`, {
    parse: parseNames,
    format: (names: readonly string[]) => JSON.stringify({ version: VERSION, names }),
  });
  return {
    read,
    add: (name) => {
      const names = read();
      if (names[0] !== name) write([name, ...names.filter((each) => each !== name)].slice(0, KEPT));
    },
  };
}

function parseNames(text: string | null): readonly string[] {
  const { names } = parseFields(text, VERSION);
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

/**
 * Writes into the address what this browser chose by default, so that a link shows the same elsewhere. `write` returns
 * the path; it is null if the address is complete already.
 */
export function useFullAddress(write: ((query: URLSearchParams) => string) | null): void {
  const navigator = useNavigator();
  const { query } = useAddress();
  const address = write && toAddress(write, new URLSearchParams(query));
  useEffect(() => {
    if (address !== null) navigator.go(address, 'replace');
  }, [navigator, address]);
}

function toAddress(write: (query: URLSearchParams) => string, query: URLSearchParams): string {
  const path = write(query);
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

/**
 * Returns what was last viewed of a kind (a product, say) on any screen: the default for a screen whose address names
 * none. `now` is what the address names, or null. Returns '' if the address names something or nothing was viewed.
 */
export function useLastViewed(kind: string, now: string | null): string {
  const [stored] = useState(() =>
    createStoredValue(window, `perpdesk.last.${kind}`, { parse: (text) => text ?? '', format: (text) => text }),
  );
  const [recent] = useState(() => createRecentlyViewed(window, kind));
  useEffect(() => {
    if (now === null) return;
    if (now !== stored.read()) stored.write(now);
    recent.add(now);
  }, [stored, recent, now]);
  // Read only when `now` changes: another tab must not change this screen.
  return useMemo(() => (now === null ? stored.read() : ''), [stored, now]);
}
