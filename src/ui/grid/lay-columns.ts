import { columnOrderingFeature, columnPinningFeature, columnVisibilityFeature, constructTable, tableFeatures } from '@tanstack/table-core';
import type { Column, TableFeatures } from '@tanstack/table-core';
import type { GridColumn } from './grid-column.ts';
import type { GridState } from './grid-state.ts';
import { planColumns, type ColumnPlan, type SizedColumn } from './plan-columns.ts';

type Reactivity = NonNullable<TableFeatures['coreReactivityFeature']>;

const nothing = (): void => undefined;
const unsubscribed = { unsubscribe: nothing };

/** For a library table that is created for one state and read once: nothing in it changes. */
const staticReactivity: Reactivity = {
  createOptionsStore: false,
  wrapExternalAtoms: false,
  addSubscription: nothing,
  createReadonlyAtom: (read) => ({ get: read, subscribe: () => unsubscribed }),
  createWritableAtom: <T>(initial: T) => {
    let value = initial;
    const set = (next: T | ((before: T) => T)): void => {
      value = typeof next === 'function' ? (next as (before: T) => T)(value) : next;
    };
    return { get: () => value, set, subscribe: () => unsubscribed };
  },
  untrack: (read) => read(),
  batch: (step) => {
    step();
  },
  schedule: nothing,
};

const features = tableFeatures({ columnOrderingFeature, columnPinningFeature, columnVisibilityFeature, coreReactivityFeature: staticReactivity });

/** The library only orders columns; it would wrap each row in an object. */
const NO_ROWS: object[] = [];

/** Column layout by the user’s order, widths, pins and visibility. */
export function layColumns<Row>(columns: readonly GridColumn<Row>[], { order, widths, hidden, pinned }: Pick<GridState, 'order' | 'widths' | 'hidden' | 'pinned'>): ColumnPlan<Row> {
  const table = constructTable({
    features,
    columns: columns.map(({ id }) => ({ id })),
    data: NO_ROWS,
    state: {
      columnOrder: [...order],
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
      columnPinning: { start: [...pinned.start], end: [...pinned.end] },
    },
  });
  const byId = new Map(columns.map((column) => [column.id, column]));
  const sized = (from: readonly Column<typeof features, object>[]): SizedColumn<Row>[] =>
    from.flatMap(({ id }) => {
      const column = byId.get(id);
      return column === undefined ? [] : [{ column, width: widths[id] ?? column.width }];
    });
  return planColumns({
    start: sized(table.getStartVisibleLeafColumns()),
    center: sized(table.getCenterVisibleLeafColumns()),
    end: sized(table.getEndVisibleLeafColumns()),
  });
}
