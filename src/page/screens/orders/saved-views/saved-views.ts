import type { ListName } from '../list-state/use-list-state.ts';
import { createStoredValue, parseFields, toFields, type Frame, type StoredValue } from '#page/kit/stored-value.ts';

interface ListWords {
  readonly key: string;
  /** Identifies, in a file, the list whose views it contains. */
  readonly format: string;
  readonly fileName: string;
  /** Shown instead of an empty list of views. */
  readonly none: string;
}

/** Each list has its own views. */
export const VIEWS_OF = {
  orders: {
    key: 'perpdesk.orders.views',
    format: 'perpdesk order views',
    fileName: 'perpdesk-order-views',
    none: 'No saved views. A view holds filters, sorting, grouping and columns.',
  },
  history: {
    key: 'perpdesk.history.views',
    format: 'perpdesk history views',
    fileName: 'perpdesk-history-views',
    none: 'No saved views. A view holds filters, sort order and columns.',
  },
  activity: {
    key: 'perpdesk.activity.views',
    format: 'perpdesk activity views',
    fileName: 'perpdesk-activity-views',
    none: 'No saved views. A view holds filters and columns.',
  },
} as const satisfies Readonly<Record<ListName, ListWords>>;

/** A named state of a list: its query as in the address, but with account codes. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
}

export interface ViewStore extends Pick<StoredValue<readonly SavedView[]>, 'read' | 'subscribe'> {
  readonly of: ListName;
  /** Replaces views of the same name. */
  readonly save: (views: readonly SavedView[]) => void;
  readonly remove: (name: string) => void;
}

const VERSION = 1;

export function createViewStore(frame: Frame, of: ListName): ViewStore {
  const parse = (text: string | null): readonly SavedView[] => parseViews(text, of) ?? [];
  const { read, subscribe, write } = createStoredValue(frame, VIEWS_OF[of].key, {
    parse,
    format: (views) => formatViews(views, of),
  });
  return {
    of,
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

/** Formats views for a file or for the browser's storage. */
export function formatViews(views: readonly SavedView[], of: ListName): string {
  return JSON.stringify({ format: VIEWS_OF[of].format, version: VERSION, views }, null, 2);
}

/** Parses views; null if they belong to another list or come from a newer version. */
export function parseViews(text: string | null, of: ListName): readonly SavedView[] | null {
  const { format, views } = parseFields(text, VERSION);
  return format === VIEWS_OF[of].format && Array.isArray(views) && views.every(isView)
    ? views.map(({ name, query }) => ({ name, query }))
    : null;
}

function isView(value: unknown): value is SavedView {
  const { name, query } = toFields(value);
  return typeof name === 'string' && typeof query === 'string';
}
