import { createStoredValue, parseFields, toFields, type Frame, type StoredValue } from '#ui/stored-value.ts';

/** In place of an empty list of views. */
export const NO_VIEWS = 'No saved views. A view holds filters, sorting, grouping and columns.';

/** A named state of the list: its query as in the address, account codes included. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
}

export interface ViewStore extends Pick<StoredValue<readonly SavedView[]>, 'read' | 'subscribe'> {
  /** Replaces views of the same name. */
  readonly save: (views: readonly SavedView[]) => void;
  readonly remove: (name: string) => void;
}

const VERSION = 1;

export function createViewStore(frame: Frame): ViewStore {
  const parse = (text: string | null): readonly SavedView[] => parseViews(text) ?? [];
  const { read, subscribe, write } = createStoredValue(frame, 'perpdesk.orders.views', { parse, format: formatViews });
  return {
    read,
    subscribe,
    save: (added) => {
      const names = new Set(added.map(({ name }) => name));
      const views = [...read().filter(({ name }) => !names.has(name)), ...added];
      write(views.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })));
    },
    remove: (name) => {
      write(read().filter((view) => view.name !== name));
    },
  };
}

/** For a file and for the browser’s storage. */
export function formatViews(views: readonly SavedView[]): string {
  return JSON.stringify({ format: 'perpdesk order views', version: VERSION, views }, null, 2);
}

/** Null: not a saved-views file, or from a newer version. */
export function parseViews(text: string | null): readonly SavedView[] | null {
  const { views } = parseFields(text, VERSION);
  return Array.isArray(views) && views.every(isView) ? views.map(({ name, query }) => ({ name, query })) : null;
}

function isView(value: unknown): value is SavedView {
  const { name, query } = toFields(value);
  return typeof name === 'string' && typeof query === 'string';
}
