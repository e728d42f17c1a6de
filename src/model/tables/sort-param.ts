import type { UrlParam } from '../format/url-param.ts';

/** One level of sorting. */
export interface SortLevel {
  readonly id: string;
  readonly desc: boolean;
}

/** `sort=-volume,symbol`: descending by volume, then ascending by symbol. */
export function sortParam(
  name: string,
  columns: readonly string[],
  defaults: readonly SortLevel[],
): UrlParam<readonly SortLevel[]> {
  const defaultText = formatSort(defaults);
  return {
    read: (query) => {
      const levels = parseSort(query.get(name) ?? '', columns);
      return levels.length > 0 ? levels : defaults;
    },
    write: (query, levels) => {
      const text = formatSort(levels);
      if (text === defaultText || text === '') query.delete(name);
      else query.set(name, text);
    },
  };
}

/** Unknown and repeated columns are ignored. */
export function parseSort(text: string, columns: readonly string[]): readonly SortLevel[] {
  const levels = text.split(',').map((part) => ({ id: part.replace(/^-/, ''), desc: part.startsWith('-') }));
  return levels.filter(
    ({ id }, index) => columns.includes(id) && levels.findIndex((level) => level.id === id) === index,
  );
}

export function formatSort(levels: readonly SortLevel[]): string {
  return levels.map(({ id, desc }) => (desc ? '-' : '') + id).join();
}
