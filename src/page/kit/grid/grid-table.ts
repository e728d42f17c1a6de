import type { GridColumn } from '#model/tables/grid-column.ts';
import type { GridState } from '#model/tables/grid-state.ts';

/** A grid's columns and state. The state is the screen's, which keeps parts of it in its address and parts in this browser. */
export interface GridTable<Row> {
  /** Must keep their identity between renders. */
  readonly columns: readonly GridColumn<Row>[];
  readonly state: GridState;
  readonly set: (next: GridState) => void;
}
