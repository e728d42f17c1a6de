import { useId, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { useLoadErrorToast } from '../toast.tsx';
import { useAnnounce } from '../live-region.tsx';
import { createGridControl, type GridControl } from './grid-control.ts';
import type { GridMarks, GridOptions, GridProps } from './grid-props.ts';
import { useColumnPlan } from './use-column-plan.ts';
import styles from './grid.module.css';

const NO_MARKS: GridMarks = new Map();

const HELP =
  'Arrow keys move between cells. Enter opens the row or the cell’s link. Control+I shows where a figure comes from.';

/**
 * A grid by the ARIA grid pattern: one tab stop, arrows move, Space selects, Enter opens. React renders one element; its
 * content is written directly, because reconciling rows while they scroll is too slow.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { label, table, rows, marks = NO_MARKS, opened = '', handle, fit = false, onAnnounce } = props;
  const announce = useAnnounce();
  const showLoadError = useLoadErrorToast();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const control = useRef<GridControl<Row> | null>(null);
  const { state } = table;
  const plan = useColumnPlan(table);
  useLayoutEffect(() => {
    if (root.current === null) return;
    const scene = { plan, rows, state, table, marks, opened, fit };
    const options: GridOptions<Row> = {
      ...props,
      onAnnounce: (text: string) => {
        announce(text);
        onAnnounce?.(text);
      },
    };
    if (control.current === null) control.current = createGridControl(root.current, scene, options, showLoadError);
    else control.current.show(scene, options);
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
    goTo: (line, columnId) => control.current?.goTo(line, columnId),
  }));
  return (
    <div
      ref={root}
      id={id}
      role={state.grouping.length > 0 ? 'treegrid' : 'grid'}
      aria-label={label}
      aria-description={HELP}
      aria-multiselectable="true"
      tabIndex={0}
      data-fit={fit || undefined}
      className={styles['grid']}
    />
  );
}
