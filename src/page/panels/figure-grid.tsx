import { type CSSProperties, useMemo, useState } from 'react';
import type { Fact } from '#model/format/provenance.ts';
import { defaultGridState, type GridColumn } from '#model/tables/grid.ts';
import { Grid } from '#page/kit/grid/grid.tsx';
import { type ExplainCell, useGridKeys, useGridTooltips } from '#page/kit/grid/use-stored-grid.tsx';
import { useGridRows } from '#page/kit/grid/use-grid-rows.ts';
import { ShowAll } from '#page/kit/table.tsx';
import styles from './figure-grid.module.css';

/** A column that explains each of its cells. */
export interface FigureColumn<Row> extends GridColumn<Row> {
  readonly explain: (row: Row) => readonly Fact[];
}

interface FigureGridProps<Row> {
  readonly label: string;
  /** The array must be the same object between renders, and so must `keyOf`. */
  readonly columns: readonly FigureColumn<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** More rows may load when the end scrolls into view. */
  readonly mayGrow?: boolean;
  readonly onNearEnd?: () => void;
}

/** A grid of many figures that takes one tab stop, renders only visible rows, and explains each figure. */
export function FigureGrid<Row>({ label, columns, rows, keyOf, mayGrow = false, onNearEnd }: FigureGridProps<Row>) {
  const usual = useMemo(() => defaultGridState(columns), [columns]);
  const [state, setState] = useState(usual);
  const table = { columns, state, set: setState };
  const held = useGridRows({ rows, columns, keyOf, state });
  const lines = useMemo(() => ({ ...held, mayGrow }), [held, mayGrow]);
  const letters = useGridKeys();
  const notes = useGridTooltips(useMemo(() => createExplain(columns), [columns]));
  return (
    <>
      <div className={styles['box']} style={{ '--lines': rows.length } as CSSProperties}>
        <Grid {...{ label, table, letters, onNearEnd }} rows={lines} {...notes} />
      </div>
      {lines.count < rows.length && (
        <ShowAll
          className={styles['filtered']}
          onShow={() => {
            setState({ ...state, filters: {} });
          }}
        >
          {lines.count} of {rows.length} rows match the filter.
        </ShowAll>
      )}
    </>
  );
}

function createExplain<Row>(columns: readonly FigureColumn<Row>[]): ExplainCell<Row> {
  return ({ row, column }) => ({
    title: `${column.title}: ${column.text(row)}`,
    facts: columns.find(({ id }) => id === column.id)?.explain(row) ?? [],
  });
}
