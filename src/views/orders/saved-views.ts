/** A list as somebody wants to see it again: a name, and what its address would say, account codes included. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
}

/** Views kept in this browser, that other tabs see at once. */
export interface ViewStore {
  readonly read: () => readonly SavedView[];
  readonly subscribe: (listener: () => void) => () => void;
  /** One of the same name is replaced. */
  readonly save: (views: readonly SavedView[]) => void;
  readonly remove: (name: string) => void;
}

const KEY = 'perpdesk.orders.views';
const VERSION = 1;

type Frame = Pick<Window, 'localStorage' | 'addEventListener' | 'removeEventListener'>;

export function createViewStore(frame: Frame): ViewStore {
  const listeners = new Set<() => void>();
  let views = parseViews(attempt(() => frame.localStorage.getItem(KEY)) ?? '') ?? NO_VIEWS;
  const become = (next: readonly SavedView[]): void => {
    views = next;
    for (const listener of listeners) listener();
  };
  const keep = (next: readonly SavedView[]): void => {
    become(next.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })));
    attempt(() => {
      frame.localStorage.setItem(KEY, formatViews(views));
    });
  };
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (key === KEY || key === null) become(parseViews(newValue ?? '') ?? NO_VIEWS);
  };
  return {
    read: () => views,
    subscribe: (listener) => {
      if (listeners.size === 0) frame.addEventListener('storage', onStorage);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) frame.removeEventListener('storage', onStorage);
      };
    },
    save: (added) => {
      const names = new Set(added.map(({ name }) => name));
      keep([...views.filter(({ name }) => !names.has(name)), ...added]);
    },
    remove: (name) => {
      keep(views.filter((view) => view.name !== name));
    },
  };
}

const NO_VIEWS: readonly SavedView[] = [];

/** As a file, and as it is kept. */
export function formatViews(views: readonly SavedView[]): string {
  return JSON.stringify({ format: 'perpdesk order views', version: VERSION, views }, null, 2);
}

/** Null: not such a file, or a later version's. */
export function parseViews(text: string): readonly SavedView[] | null {
  const file = attempt<unknown>(() => JSON.parse(text));
  if (typeof file !== 'object' || file === null || !('version' in file) || file.version !== VERSION) return null;
  const views: unknown = 'views' in file ? file.views : null;
  return Array.isArray(views) && views.every(isView) ? views.map(({ name, query }) => ({ name, query })) : null;
}

function isView(value: unknown): value is SavedView {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string' && 'query' in value && typeof value.query === 'string';
}

function attempt<T>(step: () => T): T | null {
  try {
    return step();
  } catch {
    return null;
  }
}
