import { createStoredValue, type Frame, type StoredValue } from '#ui/stored-value.ts';
import { readListState, writeListState } from './list-query.ts';
import type { PrivateState } from './private-state.ts';

/** Keeps the private state for the lifetime of the tab, so that a reload does not lose filters. */
export function createPrivateStore(frame: Frame, name: string, columns: readonly string[]): StoredValue<PrivateState> {
  const parse = (text: string | null): PrivateState => {
    const { filters, quick, view } = readListState(new URLSearchParams(text ?? ''), columns);
    return { filters, quick, view };
  };
  return createStoredValue(frame, `perpdesk.${name}.own`, { parse, format: formatPrivateState }, 'sessionStorage');
}

function formatPrivateState(state: PrivateState): string {
  const query = new URLSearchParams();
  writeListState(query, { ...state, sorts: [], grouping: [], columns: null });
  return query.toString();
}
