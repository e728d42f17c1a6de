import { createKeptValue, type Frame, type KeptValue } from '#ui/kept-value.ts';
import { readListState, writeListState, type ListState } from './order-state-text.ts';

type Own = Pick<ListState, 'filters' | 'quick'>;

/** What may not stand in the address, kept for as long as the tab is: a list must not lose its filters by a reload. */
export function createOwnStore(frame: Frame, name: string, columns: readonly string[]): KeptValue<Own> {
  const parse = (text: string | null): Own => {
    const { filters, quick } = readListState(new URLSearchParams(text ?? ''), columns);
    return { filters, quick };
  };
  return createKeptValue(frame, `perpdesk.${name}.own`, { parse, format: formatOwn }, 'sessionStorage');
}

function formatOwn({ filters, quick }: Own): string {
  const query = new URLSearchParams();
  writeListState(query, { filters, quick, sorts: [], grouping: [], columns: null });
  return query.toString();
}
