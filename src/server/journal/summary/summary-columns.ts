import { createTrie } from '#server/core/maps.ts';
import { itemAt, numberAt } from '../segment/content.ts';
import { AT, type Cell, type Figure, FIGURES, MINUTE_MS, type Summary, TRAITS } from './summary.ts';

/**
 * A summary by columns. Cells are sorted by minute, then by combination of traits. Nearly all cells have a few small
 * counts, often the same ones as others: these counts together are a pattern.
 */
export interface SummaryColumns {
  /** The values of each trait. */
  readonly traits: readonly TraitColumn[];
  /** The minutes that have cells. */
  readonly minutes: Float64Array;
  /** The number of cells in each minute. */
  readonly cellCounts: Float64Array;
  /** For each cell, the index of its combination of traits. */
  readonly combinations: Float64Array;
  readonly patterns: Float64Array;
  /** For each column, the value in every pattern. */
  readonly patternColumns: readonly Float64Array[];
  /** The amounts that are not zero, cell by cell; the lives likewise. */
  readonly amounts: readonly Float64Array[];
  readonly lives: Float64Array;
}

export interface TraitColumn {
  readonly values: readonly string[];
  /** For each combination, the index of its value. */
  readonly places: Float64Array;
}

/** Figures that are large and differ from cell to cell. A pattern only records whether there is one. */
const AMOUNTS = [
  'quantityPlaced',
  'quantityFilledBefore',
  'quantityFilled',
  'quantityEnded',
  'quantityEndedFilled',
] as const satisfies readonly Figure[];

/** The index of each amount among all figures. */
export const AMOUNT_PLACES: readonly number[] = AMOUNTS.map((figure) => AT[figure]);
/** A pattern has one column for each figure, plus one for the number of lives. */
export const LIVES_COLUMN = FIGURES.length;
const PATTERN_COLUMNS = FIGURES.length + 1;

export function toColumns({ traits, cells }: Summary): SummaryColumns {
  const { columns, rankOf } = toTraitColumns(traits);
  const sorted = sortCells(cells, rankOf);
  const minutes = toRuns(sorted.map(({ minute }) => minute));
  const patterns = createPatterns();
  return {
    traits: columns,
    minutes: minutes.values,
    cellCounts: minutes.lengths,
    combinations: Float64Array.from(sorted, ({ place }) => itemAt(rankOf, place)),
    patterns: Float64Array.from(sorted, patterns.placeOf),
    patternColumns: patterns.columns(),
    amounts: AMOUNT_PLACES.map((at) =>
      Float64Array.from(sorted.map(({ figures }) => itemAt(figures, at)).filter((amount) => amount > 0)),
    ),
    lives: Float64Array.from(sorted.flatMap(({ lives }) => lives.toSorted((a, b) => a - b))),
  };
}

/** Returns when the first counted change happened, in epoch milliseconds; null if there is none. */
export function reachesBack({ minutes }: SummaryColumns): number | null {
  const [first] = minutes;
  return first === undefined ? null : first * MINUTE_MS;
}

const BETWEEN = '\n';

/** Sorts similar combinations next to each other. `rankOf` maps each to its new index. */
function toTraitColumns(traits: Summary['traits']): {
  readonly columns: readonly TraitColumn[];
  readonly rankOf: readonly number[];
} {
  const order = orderTraits(TRAITS.map((_, at) => new Set(traits.map((values) => values[at])).size));
  const names = traits.map((values) => order.map((at) => values[at] ?? '').join(BETWEEN));
  const places = [...names.keys()].sort((a, b) => compareTexts(itemAt(names, a), itemAt(names, b)));
  const rankOf: number[] = [];
  for (const [rank, place] of places.entries()) rankOf[place] = rank;
  const columns = TRAITS.map((_, at) => toTraitColumn(places.map((place) => itemAt(traits, place)[at] ?? '')));
  return { columns, rankOf };
}

/** Sorts traits by their number of values, largest first. */
export function orderTraits(counts: readonly number[]): readonly number[] {
  return [...counts.keys()].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
}

function toTraitColumn(ofCombinations: readonly string[]): TraitColumn {
  const values = [...new Set(ofCombinations)].sort();
  const places = new Map(values.map((value, place) => [value, place]));
  return { values, places: Float64Array.from(ofCombinations, (value) => places.get(value) ?? 0) };
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorts by numeric keys: comparing the cells themselves takes three times as long. */
function sortCells(cells: readonly Cell[], rankOf: readonly number[]): readonly Cell[] {
  const first = cells.reduce((least, { minute }) => Math.min(least, minute), Infinity);
  const keys = Float64Array.from(
    cells,
    ({ minute, place }, at) => ((minute - first) * rankOf.length + itemAt(rankOf, place)) * cells.length + at,
  );
  return Array.from(keys.sort(), (key) => itemAt(cells, key % cells.length));
}

function toRuns(numbers: readonly number[]): { readonly values: Float64Array; readonly lengths: Float64Array } {
  const starts = [...numbers.keys()].filter((at) => at === 0 || numbers[at] !== numbers[at - 1]);
  return {
    values: Float64Array.from(starts, (at) => itemAt(numbers, at)),
    lengths: Float64Array.from(starts, (at, run) => (starts[run + 1] ?? numbers.length) - at),
  };
}

const IS_AMOUNT = FIGURES.map((_, at) => AMOUNT_PLACES.includes(at));

function createPatterns() {
  const known = createTrie<number, number>();
  const columns = Array.from({ length: PATTERN_COLUMNS }, (): number[] => []);
  const entries: number[] = [];
  const add = (): number => {
    for (const [at, column] of columns.entries()) column.push(numberOf(entries, at));
    return (columns[0]?.length ?? 0) - 1;
  };
  return {
    placeOf: ({ figures, lives }: Cell): number => {
      for (let at = 0; at < FIGURES.length; at++)
        entries[at] = IS_AMOUNT[at] === true ? Math.sign(numberOf(figures, at)) : numberOf(figures, at);
      entries[LIVES_COLUMN] = lives.length;
      return known(entries, add);
    },
    columns: (): readonly Float64Array[] => columns.map((column) => Float64Array.from(column)),
  };
}

function numberOf(numbers: readonly number[], at: number): number {
  return numbers[at] ?? 0;
}

/** The cells of the first summary format. */
export interface CellColumns {
  readonly traits: readonly (readonly string[])[];
  readonly minutes: Float64Array;
  readonly places: Float64Array;
  readonly figures: readonly Float64Array[];
  readonly lifeCounts: Float64Array;
  readonly lives: Float64Array;
}

export function fromCells({ traits, minutes, places, figures, lifeCounts, lives }: CellColumns): SummaryColumns {
  let life = 0;
  const cells = Array.from(minutes, (minute, at): Cell => {
    const first = life;
    life += numberAt(lifeCounts, at);
    return {
      minute,
      place: numberAt(places, at),
      figures: figures.map((column) => numberAt(column, at)),
      lives: [...lives.subarray(first, life)],
    };
  });
  return toColumns({ traits, cells });
}
