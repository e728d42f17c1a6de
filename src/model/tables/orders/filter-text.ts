import { formatNumber } from '../../format/number.ts';
import { describeRange } from '../../time/time-range.ts';
import { toDecimal } from '../../units/decimal.ts';
import type { GridColumn } from '../grid-column.ts';
import type { GridFilter, GridState } from '../grid-state.ts';

/** More would not fit in a chip. */
const MOST_NAMED = 3;

type Units = Pick<GridColumn<never>, 'unit' | 'filterUnit'>;
type Named = Units & Pick<GridColumn<never>, 'id' | 'title'>;

export function toFilterUnit({ unit, filterUnit = unit }: Units): string | undefined {
  return filterUnit;
}

/** A value of a column, to choose from. */
export function formatOption(word: string): string {
  return word.trim() || '(empty)';
}

/** All active filters in full, a sentence each. */
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

/** Follows the name of its column: `is HOST`. */
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

/** With all its digits: a filter is exact. */
export function formatBound(bound: number | null): string {
  return formatNumber(bound === null ? null : toDecimal(String(bound)));
}
