import type { GridColumn, GridValue } from './grid-column.ts';

type Rankable = string | bigint;

/**
 * One number for each row, so that sorting compares numbers only: numbers as they are, other values by their rank among
 * the distinct values, of which a column often has few. NaN stands for a missing value.
 */
export function toSortKeys<Row>(column: GridColumn<Row>, rows: readonly Row[]): Float64Array {
  const keys = new Float64Array(rows.length);
  const ordinals = new Map<Rankable, number>();
  for (let index = 0; index < rows.length; index++) {
    const value = column.value(rows[index] as Row);
    if (value === null) keys[index] = NaN;
    // Adding zero turns -0 into 0.
    else keys[index] = typeof value === 'number' ? value + 0 : ordinalOf(ordinals, value);
  }
  if (ordinals.size > 0) toRanks(keys, rankOrdinals([...ordinals.keys()], column.compare));
  return keys;
}

function ordinalOf(ordinals: Map<Rankable, number>, value: Rankable): number {
  const known = ordinals.get(value);
  if (known !== undefined) return known;
  ordinals.set(value, ordinals.size);
  return ordinals.size - 1;
}

function toRanks(keys: Float64Array, ranks: Float64Array): void {
  for (let index = 0; index < keys.length; index++) keys[index] = ranks[keys[index] ?? NaN] ?? NaN;
}

/** The rank of each value by its ordinal. Equal values share a rank, so that equal rows keep their order. */
function rankOrdinals(values: readonly Rankable[], compare: GridColumn<never>['compare']): Float64Array {
  const ordinals = Array.from(values, (_, ordinal) => ordinal);
  const order = (a: number, b: number): number => compareValues(values[a] ?? null, values[b] ?? null, compare);
  ordinals.sort(order);
  const ranks = new Float64Array(values.length);
  let rank = 0;
  for (const [place, ordinal] of ordinals.entries()) {
    if (place > 0 && order(ordinals[place - 1] ?? 0, ordinal) !== 0) rank++;
    ranks[ordinal] = rank;
  }
  return ranks;
}

/** Created on first use: it is slow, and a list sorted by a figure does without. */
let collator: Intl.Collator | null = null;

/** Texts in natural order unless the column has its own; other values by size. */
function compareValues(a: GridValue, b: GridValue, compare = compareTexts): number {
  if (typeof a === 'string' && typeof b === 'string') return compare(a, b);
  if (a === null || b === null) return 0;
  return comparePlain(a, b);
}

/** The collator considers `007` and `7` equal; as codes they differ, and equal ranks form one group. */
function compareTexts(a: string, b: string): number {
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b) || comparePlain(a, b);
}

function comparePlain(a: Rankable | number, b: Rankable | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
