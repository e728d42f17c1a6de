/** A number that is exact compares itself. */
interface Exact {
  readonly comparedTo: (other: never) => number;
}

export type SortValue = string | number | Exact;

/** Orders two values of one column upwards; texts as people order them: `BUS2` before `BUS10`. */
export function compareValues(a: SortValue, b: SortValue): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b);
  // A column's values are of one kind, so the other is exact too.
  return typeof a === 'object' ? a.comparedTo(b as never) : 0;
}

const collator = new Intl.Collator('en', { numeric: true });
