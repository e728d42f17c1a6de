/** Which products a reader has marked; kept in this browser only. */
export interface FavouriteStore {
  readonly read: () => ReadonlySet<number>;
  readonly subscribe: (listener: () => void) => () => void;
  readonly toggle: (productId: number) => void;
}

const KEY = 'perpdesk.favourites';
const VERSION = 1;

type Frame = Pick<Window, 'localStorage' | 'addEventListener' | 'removeEventListener'>;

/** Marks that other tabs see at once. A browser that forbids storing forgets them with the tab, and nothing else. */
export function createFavouriteStore(frame: Frame): FavouriteStore {
  const listeners = new Set<() => void>();
  let marked = parseFavourites(attempt(() => frame.localStorage.getItem(KEY)));
  const become = (next: ReadonlySet<number>): void => {
    marked = next;
    for (const listener of listeners) listener();
  };
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (key === KEY || key === null) become(parseFavourites(newValue));
  };
  return {
    read: () => marked,
    subscribe: (listener) => {
      if (listeners.size === 0) frame.addEventListener('storage', onStorage);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) frame.removeEventListener('storage', onStorage);
      };
    },
    toggle: (productId) => {
      become(new Set(marked.has(productId) ? [...marked].filter((id) => id !== productId) : [...marked, productId]));
      attempt(() => {
        frame.localStorage.setItem(KEY, formatFavourites(marked));
      });
    },
  };
}

/** Reads what was stored; what is of another version, or no such list, counts as none. */
function parseFavourites(stored: string | null): ReadonlySet<number> {
  const value: unknown = attempt<unknown>(() => JSON.parse(stored ?? ''));
  if (typeof value !== 'object' || value === null || !('version' in value) || value.version !== VERSION) return new Set();
  const ids: unknown = 'products' in value ? value.products : null;
  return new Set(Array.isArray(ids) ? ids.filter((id) => Number.isSafeInteger(id)).map(Number) : []);
}

function formatFavourites(marked: ReadonlySet<number>): string {
  return JSON.stringify({ version: VERSION, products: [...marked] });
}

function attempt<T>(step: () => T): T | null {
  try {
    return step();
  } catch {
    return null;
  }
}
