import type { GridColumn } from './grid-column.ts';
import type { GridFilter, GridState } from './grid-state.ts';

type Test<Row> = (row: Row) => boolean;

/** Whether a row is let through by the columns' filters and the quick filter; null where everything is. */
export function toRowFilter<Row>(columns: readonly GridColumn<Row>[], { filters, quick }: Pick<GridState, 'filters' | 'quick'>): Test<Row> | null {
  const tests = columns.flatMap((column) => {
    const filter = filters[column.id];
    return filter === undefined ? [] : [toColumnTest(column, filter)];
  });
  const words = quick.split(/\s+/).filter((word) => word !== '');
  const all = [...tests, ...words.map((word) => toWordTest(columns, word))];
  // Composed into nested closures: looping over the tests would allocate for every row.
  return all.length === 0 ? null : all.reduce((one, other) => (row) => one(row) && other(row));
}

function toColumnTest<Row>(column: GridColumn<Row>, filter: GridFilter): Test<Row> {
  const wordOf = toWordOf(column);
  if (filter.kind === 'has') {
    const wanted = toPattern(filter.text);
    return (row) => wanted.test(wordOf(row));
  }
  if (filter.kind === 'is') {
    const texts = new Set(filter.texts);
    return (row) => texts.has(wordOf(row));
  }
  const from = filter.from ?? -Infinity;
  const to = filter.to ?? Infinity;
  return (row) => {
    const value = column.value(row);
    return (typeof value === 'number' || typeof value === 'bigint') && value >= from && value <= to;
  };
}

/**
 * What a filter of words compares. It has to hold tomorrow and for others: a moment is what the wire says, whatever the
 * reader's zone, and what is no figure has no spaces that keep the points of its column below each other.
 */
export function toWordOf<Row>({ kind, text, value, compare }: GridColumn<Row>): (row: Row) => string {
  if (compare !== undefined) return (row) => String(value(row) ?? '');
  return kind === 'number' ? (row) => text(row).trim() : text;
}

/** What lets through the rows that are like one in a column. */
export function toFilterLike<Row>(column: GridColumn<Row>, row: Row): GridFilter {
  const value = column.kind === 'number' ? column.value(row) : null;
  if (value === null) return { kind: 'is', texts: [toWordOf(column)(row)] };
  const [from, to] = column.near?.(row) ?? [Number(value), Number(value)];
  return { kind: 'between', from, to };
}

function toWordTest<Row>(columns: readonly GridColumn<Row>[], word: string): Test<Row> {
  const [asText, asFigure] = [toPattern(word), toFigurePattern(word)];
  const tests = columns.flatMap((column) => {
    if (canHold(column, word)) return toTextTest(column.text, column.kind === 'number' ? asFigure : asText, word.length);
    return column.says === undefined ? [] : toTextTest(column.says, asText, word.length);
  });
  return tests.reduce((one, other) => (row) => one(row) || other(row), () => false);
}

/** No pattern is tried on what is too short for it: this runs for every text of every row. */
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

/** A pattern finds a text whatever its case without making a lower-case copy of each cell. */
function toPattern(text: string): RegExp {
  return new RegExp(toLiteral(text), 'i');
}

/** Figures are shown with a true minus and with thousands apart, and looked for as they are typed: -1234. */
function toFigurePattern(text: string): RegExp {
  return new RegExp(toLiteral(text).replaceAll('-', '[-−]').replaceAll(/(?<=\d)(?=\d)/g, ',?'));
}

function toLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
