import { useId, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { createGridControl, type GridControl } from './grid-control.ts';
import type { GridMark, GridProps } from './grid-props.ts';
import { useColumnPlan } from './use-column-plan.ts';
import styles from './grid.module.css';

const NO_MARKS: ReadonlyMap<string, GridMark> = new Map();

/**
 * A grid by the ARIA grid pattern: one tab stop, arrows move, Space selects, Enter opens. React draws one element; what
 * is in it is drawn by hand, because rows that scroll by are too many to be compared with what they were.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { label, columns, rows, state, marks = NO_MARKS, handle } = props;
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const control = useRef<GridControl<Row> | null>(null);
  const plan = useColumnPlan(columns, state);
  useLayoutEffect(() => {
    if (root.current === null) return;
    const scene = { plan, rows, state, marks };
    if (control.current === null) control.current = createGridControl(root.current, scene, props);
    else control.current.show(scene, props);
  });
  useLayoutEffect(
    () => () => {
      control.current?.dispose();
      control.current = null;
    },
    [],
  );
  useImperativeHandle(handle, () => ({
    focus: () => root.current?.focus(),
    goTo: (line) => control.current?.goTo(line),
    clearSelection: () => control.current?.clearSelection(),
  }));
  return <div ref={root} id={id} role={state.grouping.length > 0 ? 'treegrid' : 'grid'} aria-label={label} aria-multiselectable="true" tabIndex={0} className={styles['grid']} />;
}
