import { readDay } from '../format/format-time.ts';
import type { UrlParam } from '../format/url-param.ts';

/** A named range, or one between two dates. Without an end, it runs to now. */
export type ChosenRange = { readonly name: string } | { readonly from: string; readonly to: string | null };

/** Keeps a range in the address: `range=6M`, or `from=2026-01-05` with an optional `to` that is not earlier. */
export function rangeParam(names: readonly string[], defaultName: string): UrlParam<ChosenRange> {
  return {
    read: (query) => {
      const [from, to] = [toDate(query, 'from'), toDate(query, 'to')];
      if (from !== null && (to === null || from <= to)) return { from, to };
      return { name: names.find((name) => name === query.get('range')) ?? defaultName };
    },
    write: (query, range) => {
      for (const name of ['range', 'from', 'to']) query.delete(name);
      if ('from' in range) {
        query.set('from', range.from);
        if (range.to !== null) query.set('to', range.to);
      } else if (range.name !== defaultName) query.set('range', range.name);
    },
  };
}

/** Returns a sentence on why the address’s range is not the one shown; null if it is, or if there is none. */
export function whyRangeIgnored(query: URLSearchParams, names: readonly string[]): string | null {
  const [from, to, name] = ['from', 'to', 'range'].map((part) => query.get(part));
  if (!from && to) return 'It has an end but no start.';
  for (const day of [from, to]) if (day && readDay(day) === null) return `${day} is no date.`;
  if (from && to && from > to) return `Its end, ${to}, is before its start, ${from}.`;
  return name && !names.includes(name) ? `There is no range ${name}.` : null;
}

function toDate(query: URLSearchParams, name: string): string | null {
  return readDay(query.get(name) ?? '');
}
