import { createStoredValue, type Frame, type StoredValue } from '#page/kit/stored-value.ts';
import { readListState, writeListState } from './list-query.ts';
import { readOwnTexts, writeOwnTexts } from './own-texts.ts';
import type { PrivateState } from './private-state.ts';

export interface KeptState extends PrivateState {
  /** How the address writes it. Empty for a tab of an earlier version, whose addresses did not contain it. */
  readonly own: readonly string[];
}

/** Keeps the private state for the lifetime of the tab, as it was entered and before aliases are read. */
export function createPrivateStore(frame: Frame, name: string, columns: readonly string[]): StoredValue<KeptState> {
  const parse = (text: string | null): KeptState => {
    const query = new URLSearchParams(text ?? '');
    const { filters, quick, view } = readListState(query, columns);
    return { filters, quick, view, own: readOwnTexts(query) };
  };
  return createStoredValue(frame, `perpdesk.${name}.own`, { parse, format: formatKeptState }, 'sessionStorage');
}

function formatKeptState({ own, ...state }: KeptState): string {
  const query = new URLSearchParams();
  writeListState(query, { ...state, sorts: [], grouping: [], columns: null });
  writeOwnTexts(query, own);
  return query.toString();
}
