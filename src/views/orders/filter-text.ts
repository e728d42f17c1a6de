import type { GridFilter } from '#ui/grid/grid-state.ts';

const MOST_NAMED = 3;

/** What a filter lets through, after the name of its column: `is HOST`. */
export function describeFilter(filter: GridFilter): string {
  switch (filter.kind) {
    case 'has':
      return `has ${filter.text}`;
    case 'is': {
      const texts = filter.texts.map((text) => text.trim());
      return texts.length > MOST_NAMED ? `is one of ${String(texts.length)}` : `is ${texts.join(' or ')}`;
    }
    case 'between':
      return describeBounds(filter.from, filter.to);
  }
}

function describeBounds(from: number | null, to: number | null): string {
  if (from === null) return `at most ${String(to)}`;
  if (to === null) return `at least ${String(from)}`;
  return from === to ? `is ${String(from)}` : `${String(from)} to ${String(to)}`;
}
