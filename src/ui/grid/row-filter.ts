import type { GridColumn } from './grid-column.ts';
import type { GridFilter, GridState } from './grid-state.ts';

type Test<Row> = (row: Row) => boolean;

/** Whether a row passes the column filters and the quick filter; null without filters. */
export function toRowFilter<Row>(columns: readonly GridColumn<Row>[], { filters, quick }: Pick<GridState, 'filters' | 'quick'>): Test<Row> | null {
  const tests = columns.flatMap((column) => {
    const filter = filters[column.id];
    return filter === undefined ? [] : [toColumnTest(column, filter)];
  });
  const words = quick.split(/\s+/).filter((word) => word !== '');
  const all = [...tests, ...words.map((word) => toWordTest(columns, word))];
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
 * What a word filter compares. Saved and shared filters must keep their meaning: an instant is compared as the exchange's
 * text whatever the user's zone, and texts without the spaces that align decimal points.
 */
export function toWordOf<Row>({ kind, text, value, compare }: GridColumn<Row>): (row: Row) => string {
  if (compare !== undefined) return (row) => String(value(row) ?? '');
  return kind === 'number' ? (row) => text(row).trim() : text;
}

/** The filter that passes rows with the same value in a column. */
export function toFilterLike<Row>(column: GridColumn<Row>, row: Row): GridFilter {
  const value = column.kind === 'number' ? column.value(row) : null;
  if (value === null) return { kind: 'is', texts: [toWordOf(column)(row)] };
  const [from, to] = column.near?.(row) ?? [Number(value), Number(value)];
  return { kind: 'between', from, to };
}

function toWordTest<Row>(columns: readonly GridColumn<Row>[], word: string): Test<Row> {
  const [asText, asFigure] = [toPattern(toLiteral(word)), toFigurePattern(word)];
  const tests = columns.flatMap((column) => {
    if (canHold(column, word)) return toTextTest(column.text, column.kind === 'number' ? asFigure : asText, word.length);
    return column.word === undefined ? [] : toTextTest(column.word, asText, word.length);
  });
  return tests.reduce((one, other) => (row) => one(row) || other(row), () => false);
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

/** Case-insensitive, without a lower-case copy of each cell. */
function toPattern(source: string): RegExp {
  return new RegExp(source, 'i');
}

/** Figures are shown with a true minus and thousands separators, but typed as -1234. */
function toFigurePattern(text: string): RegExp {
  return new RegExp(toLiteral(text).replaceAll('-', '[-−]').replaceAll(/(?<=\d)(?=\d)/g, ',?'));
}

function toLiteral(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
