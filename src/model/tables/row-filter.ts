import type { GridColumn, GridFilter, GridState } from './grid.ts';

export type Test<Row> = (row: Row) => boolean;

/**
 * Returns an object that stays the same as long as the row’s texts do, except in columns that age; undefined if
 * unknown.
 */
export type FactsOf<Row> = (row: Row) => object | undefined;

/**
 * Returns the test of the column filters and the quick filter; null without filters. Search results are remembered by
 * `factsOf`.
 */
export function toRowFilter<Row>(
  columns: readonly GridColumn<Row>[],
  { filters, quick }: Pick<GridState, 'filters' | 'quick'>,
  factsOf: FactsOf<Row> = () => undefined,
): Test<Row> | null {
  const tests = columns.flatMap((column) => {
    const filter = filters[column.id];
    return filter === undefined ? [] : [toColumnTest(column, filter)];
  });
  const words = quick.split(/\s+/).filter((word) => word !== '');
  const all = [...tests, ...words.map((word) => toLastingTest(columns, word, factsOf))];
  return all.length === 0 ? null : all.reduce((one, other) => (row) => one(row) && other(row));
}

function toColumnTest<Row>(column: GridColumn<Row>, filter: GridFilter): Test<Row> {
  switch (filter.kind) {
    case 'has':
      return toPatternTest(column, toPattern(toLiteral(filter.text)));
    case 'starts':
      return toPatternTest(column, toPattern(`^${toLiteral(filter.text)}`));
    case 'is': {
      const wordOf = toWordOf(column);
      const texts = new Set(filter.texts);
      return (row) => texts.has(wordOf(row));
    }
    case 'within':
      return column.within?.(filter) ?? (() => false);
    case 'between':
      return toBoundsTest(column, filter.from ?? -Infinity, filter.to ?? Infinity);
  }
}

function toPatternTest<Row>(column: GridColumn<Row>, wanted: RegExp): Test<Row> {
  const wordOf = toWordOf(column);
  return (row) => wanted.test(wordOf(row));
}

function toBoundsTest<Row>(column: GridColumn<Row>, from: number, to: number): Test<Row> {
  return (row) => {
    const value = column.value(row);
    return (typeof value === 'number' || typeof value === 'bigint') && value >= from && value <= to;
  };
}

/**
 * Returns what a word filter compares. Saved and shared filters must keep their meaning, so an instant is compared as
 * the exchange’s text regardless of the user’s time zone, and texts without the spaces that align decimal points.
 */
export function toWordOf<Row>({ kind, text, value, compare }: GridColumn<Row>): (row: Row) => string {
  if (compare !== undefined) return (row) => String(value(row) ?? '');
  return kind === 'number' ? (row) => text(row).trim() : text;
}

/** Returns the filter that passes rows with the same value in a column. */
export function toFilterLike<Row>(column: GridColumn<Row>, row: Row): GridFilter {
  const value = column.kind === 'number' ? column.value(row) : null;
  if (value === null) return { kind: 'is', texts: [toWordOf(column)(row)] };
  const [from, to] = column.near?.(row) ?? [Number(value), Number(value)];
  return { kind: 'between', from, to };
}

/**
 * Tests a word and remembers the results. Formatting ten thousand rows to search them for digits takes half a second,
 * so a refresh formats only rows that changed.
 */
function toLastingTest<Row>(columns: readonly GridColumn<Row>[], word: string, factsOf: FactsOf<Row>): Test<Row> {
  const lasting = remember(
    toWordTest(
      columns.filter(({ ages }) => ages !== true),
      word,
    ),
    factsOf,
  );
  const ageing = toWordTest(
    columns.filter(({ ages }) => ages === true),
    word,
  );
  return (row) => lasting(row) || ageing(row);
}

function remember<Row>(test: Test<Row>, factsOf: FactsOf<Row>): Test<Row> {
  const found = new WeakMap<object, boolean>();
  return (row) => {
    const facts = factsOf(row);
    const known = facts && found.get(facts);
    if (known !== undefined) return known;
    const passes = test(row);
    if (facts !== undefined) found.set(facts, passes);
    return passes;
  };
}

function toWordTest<Row>(columns: readonly GridColumn<Row>[], word: string): Test<Row> {
  const [asText, asFigure] = [toPattern(toLiteral(word)), toFigurePattern(word)];
  const tests = columns.flatMap((column) => {
    if (canHold(column, word))
      return toTextTest(column.text, column.kind === 'number' ? asFigure : asText, word.length);
    return column.word === undefined ? [] : toTextTest(column.word, asText, word.length);
  });
  return tests.reduce(
    (one, other) => (row) => one(row) || other(row),
    () => false,
  );
}

function toTextTest<Row>(read: (row: Row) => string, wanted: RegExp, least: number): Test<Row> {
  return (row) => {
    const text = read(row);
    return text.length >= least && wanted.test(text);
  };
}

const FIGURES = /[\d.,:%+\-−–()/\s]/;

function canHold<Row>({ alphabet, kind }: GridColumn<Row>, word: string): boolean {
  const holds = alphabet ?? (kind === 'number' ? FIGURES : null);
  return holds === null || word.split('').every((character) => holds.test(character));
}

/** Matches regardless of case without a lower-case copy of each cell. */
function toPattern(source: string): RegExp {
  return new RegExp(source, 'i');
}

/** Matches figures as typed: shown with a true minus and thousands separators, but typed as -1234. */
function toFigurePattern(text: string): RegExp {
  return new RegExp(
    toLiteral(text)
      .replaceAll('-', '[-−]')
      .replaceAll(/(?<=\d)(?=\d)/g, ',?'),
  );
}

function toLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
