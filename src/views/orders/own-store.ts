import { createKeptValue, type Frame, type KeptValue } from '#ui/kept-value.ts';
import { readListState, writeListState } from './order-state-text.ts';
import type { OwnState } from './private-state.ts';

/** What may not stand in the address, kept for as long as the tab is: a list must not lose its filters by a reload. */
export function createOwnStore(frame: Frame, name: string, columns: readonly string[]): KeptValue<OwnState> {
  const parse = (text: string | null): OwnState => {
    const { filters, quick, view } = readListState(new URLSearchParams(text ?? ''), columns);
    return { filters, quick, view };
  };
  return createKeptValue(frame, `perpdesk.${name}.own`, { parse, format: formatOwn }, 'sessionStorage');
}

function formatOwn(own: OwnState): string {
  const query = new URLSearchParams();
  writeListState(query, { ...own, sorts: [], grouping: [], columns: null });
  return query.toString();
}
