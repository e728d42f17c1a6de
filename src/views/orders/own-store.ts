import type { ListState } from './order-state-text.ts';
import { readListState, writeListState } from './order-state-text.ts';

type Own = Pick<ListState, 'filters' | 'quick'>;

/** What may not stand in the address, kept for as long as the tab is: a list must not lose its filters by a reload. */
export interface OwnStore {
  readonly read: () => Own;
  readonly write: (own: Own) => void;
}


export function createOwnStore(frame: Pick<Window, 'sessionStorage'>, name: string, columns: readonly string[]): OwnStore {
  const key = `perpdesk.${name}.own`;
  return {
    read: () => {
      const { filters, quick } = readListState(new URLSearchParams(attempt(() => frame.sessionStorage.getItem(key)) ?? ''), columns);
      return { filters, quick };
    },
    write: ({ filters, quick }) => {
      const query = new URLSearchParams();
      writeListState(query, { filters, quick, sorts: [], grouping: [], columns: null });
      attempt(() => {
        frame.sessionStorage.setItem(key, query.toString());
      });
    },
  };
}

function attempt<T>(step: () => T): T | null {
  try {
    return step();
  } catch {
    return null;
  }
}
