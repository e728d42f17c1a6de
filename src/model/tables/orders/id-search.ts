import type { GridFilter, GridState } from '../grid-state.ts';

/** A search for ids while it is edited. */
export interface IdSearch {
  readonly mode: 'has' | 'starts' | 'is';
  readonly text: string;
}

/** Null for an empty search. */
export function toIdFilter({ mode, text }: IdSearch): GridFilter | null {
  const ids = text.split(/[\s,;]+/).filter((id) => id !== '');
  if (ids.length === 0) return null;
  return mode === 'is' ? { kind: 'is', texts: ids } : { kind: mode, text: text.trim() };
}

/** The id that a list is searched for, in its column or in any. */
export function toSearchedId({ filters, quick }: Pick<GridState, 'filters' | 'quick'>): string {
  return filters['id'] === undefined ? quick : toIdSearch(filters['id']).text;
}

export function toIdSearch(filter: GridFilter | undefined): IdSearch {
  switch (filter?.kind) {
    case 'is':
      return { mode: 'is', text: filter.texts.join(' ') };
    case 'has':
    case 'starts':
      return { mode: filter.kind, text: filter.text };
    default:
      return { mode: 'has', text: '' };
  }
}
