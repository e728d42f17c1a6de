import type { UrlParam } from '../navigation/url-param.ts';

/** One level of sorting. */
export interface SortLevel {
  readonly id: string;
  readonly desc: boolean;
}

/** `sort=-volume,symbol`: downwards by volume, then upwards by symbol. Columns that there are not are passed over. */
export function sortParam(name: string, columns: readonly string[], usual: readonly SortLevel[]): UrlParam<readonly SortLevel[]> {
  const usualText = formatSort(usual);
  return {
    read: (query) => {
      const levels = parseSort(query.get(name) ?? '').filter(({ id }) => columns.includes(id));
      return levels.length > 0 ? levels : usual;
    },
    write: (query, levels) => {
      const text = formatSort(levels);
      if (text === usualText || text === '') query.delete(name);
      else query.set(name, text);
    },
  };
}

function parseSort(text: string): readonly SortLevel[] {
  const levels = text.split(',').map((part) => ({ id: part.replace(/^-/, ''), desc: part.startsWith('-') }));
  return levels.filter(({ id }, index) => levels.findIndex((level) => level.id === id) === index);
}

function formatSort(levels: readonly SortLevel[]): string {
  return levels.map(({ id, desc }) => (desc ? '-' : '') + id).join();
}
