import type { GridColumn, GridFilter, GridState } from '../grid.ts';
import { formatNumber } from '../../format/number.ts';
import { describeRange } from '../../time/written-time.ts';
import { toDecimal } from '../../units/decimal.ts';

/** A search for ids while it is edited. */
export interface IdSearch {
  readonly mode: 'has' | 'starts' | 'is';
  readonly text: string;
}

/** Returns null for an empty search. */
export function toIdFilter({ mode, text }: IdSearch): GridFilter | null {
  const ids = text.split(/[\s,;]+/).filter((id) => id !== '');
  if (ids.length === 0) return null;
  return mode === 'is' ? { kind: 'is', texts: ids } : { kind: mode, text: text.trim() };
}

/** Returns the id that a list is searched for, in its column or in any. */
export function toSearchedId({ filters, quick }: Pick<GridState, 'filters' | 'quick'>): string {
  return filters['id'] === undefined ? quick : toIdSearch(filters['id']).text;
}

export function toIdSearch(filter: GridFilter | undefined): IdSearch {
  switch (filter?.kind) {
    case 'is':
      return { mode: 'is', text: filter.texts.join(' ') };
    case 'has':
    case 'starts':
      return { mode: filter.kind, text: filter.text };
    default:
      return { mode: 'has', text: '' };
  }
}

/** The most values that fit in a chip. */
const MOST_NAMED = 3;

type Units = Pick<GridColumn<never>, 'unit' | 'filterUnit'>;
type Named = Units & Pick<GridColumn<never>, 'id' | 'title'>;

export function toFilterUnit({ unit, filterUnit = unit }: Units): string | undefined {
  return filterUnit;
}

/** Formats a value of a column to choose from. */
export function formatOption(word: string): string {
  return word.trim() || '(empty)';
}

/** Describes all active filters in full, one sentence each. */
export function describeFilters(
  columns: readonly Named[],
  { filters, quick }: Pick<GridState, 'filters' | 'quick'>,
): readonly string[] {
  const ofColumns = Object.entries(filters).map(([id, filter]) => {
    const column = columns.find((one) => one.id === id);
    return `${column?.title ?? id} ${describeFilter(filter, column, Infinity)}`;
  });
  return quick === '' ? ofColumns : [...ofColumns, `Any column contains ${quick}`];
}

/** Describes a filter, to follow the name of its column: `is HOST`. */
export function describeFilter(filter: GridFilter, column: Units = {}, mostNamed = MOST_NAMED): string {
  const unit = toFilterUnit(column);
  const inUnit = unit === undefined ? '' : ` ${unit}`;
  switch (filter.kind) {
    case 'has':
      return `contains ${filter.text}${inUnit}`;
    case 'starts':
      return `starts with ${filter.text}`;
    case 'within':
      return describeRange(filter);
    case 'is': {
      const texts = filter.texts.map(formatOption);
      return texts.length > mostNamed ? `is any of ${String(texts.length)} values` : `is ${texts.join(' or ')}`;
    }
    case 'between':
      return describeBounds(filter.from, filter.to) + inUnit;
  }
}

function describeBounds(from: number | null, to: number | null): string {
  if (from === null) return `at most ${formatBound(to)}`;
  if (to === null) return `at least ${formatBound(from)}`;
  return from === to ? `is ${formatBound(from)}` : `${formatBound(from)} to ${formatBound(to)}`;
}

/** Formats a bound with all its digits, because a filter is exact. */
export function formatBound(bound: number | null): string {
  return formatNumber(bound === null ? null : toDecimal(String(bound)));
}
