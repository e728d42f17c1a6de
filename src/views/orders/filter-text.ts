import type { GridColumn } from '#ui/grid/grid-column.ts';
import type { GridFilter, GridState } from '#ui/grid/grid-state.ts';

const MOST_NAMED = 3;

type Units = Pick<GridColumn<never>, 'unit' | 'boundsUnit'>;
type Named = Units & Pick<GridColumn<never>, 'id' | 'title'>;

export function toBoundsUnit({ unit, boundsUnit = unit }: Units): string | undefined {
  return boundsUnit;
}

/** Everything that a list is narrowed by, a sentence each. */
export function describeFilters(columns: readonly Named[], { filters, quick }: Pick<GridState, 'filters' | 'quick'>): readonly string[] {
  const ofColumns = Object.entries(filters).map(([id, filter]) => {
    const column = columns.find((one) => one.id === id);
    return `${column?.title ?? id} ${describeFilter(filter, column)}`;
  });
  return quick === '' ? ofColumns : [...ofColumns, `Anything has ${quick}`];
}

/** What a filter lets through, after the name of its column: `is HOST`. */
export function describeFilter(filter: GridFilter, column: Units = {}): string {
  const unit = toBoundsUnit(column);
  switch (filter.kind) {
    case 'has':
      return `has ${filter.text}`;
    case 'is': {
      const texts = filter.texts.map((text) => text.trim());
      return texts.length > MOST_NAMED ? `is one of ${String(texts.length)}` : `is ${texts.join(' or ')}`;
    }
    case 'between':
      return describeBounds(filter.from, filter.to) + (unit === undefined ? '' : ` ${unit}`);
  }
}

function describeBounds(from: number | null, to: number | null): string {
  if (from === null) return `at most ${String(to)}`;
  if (to === null) return `at least ${String(from)}`;
  return from === to ? `is ${String(from)}` : `${String(from)} to ${String(to)}`;
}
