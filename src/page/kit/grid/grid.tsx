import { type Ref, useId, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react';
import { useLoadErrorToast } from '../toast.tsx';
import { useAnnounce } from '../live-region.tsx';
import type { GridMarks, GridOptions, GridProps, GridRowsHandle, GridTable } from './grid-props.ts';
import styles from './grid.module.css';
import { createWindowReporter, type GridHost, type GridScene, GridSurface } from './grid-surface.ts';
import { deferInput } from './defer-input.ts';
import { keysOfSelection } from './cursor.ts';
import { layColumns, type ColumnPlan } from './plan-columns.ts';

const NO_MARKS: GridMarks = new Map();

const HELP =
  'Arrow keys move between cells. Enter opens the row or the cell’s link. Control+I shows where a figure comes from.';

/**
 * A grid by the ARIA grid pattern: one tab stop, arrows move, Space selects, Enter opens. React renders one element;
 * its content is written directly, because reconciling rows while they scroll is too slow.
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
  useImperativeHandle(handle as Ref<GridRowsHandle<Row>> | undefined, () => ({
    focus: () => root.current?.focus(),
    goTo: (line: number, columnId?: string) => control.current?.goTo(line, columnId),
    move: (lines: number) => control.current?.move(lines),
    active: () => control.current?.active() ?? [],
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

export interface GridControl<Row> {
  readonly show: (scene: GridScene<Row>, options: GridOptions<Row>) => void;
  readonly dispose: () => void;
  readonly goTo: (line: number, columnId?: string) => void;
  readonly move: (lines: number) => void;
  readonly active: () => readonly Row[];
}

/**
 * Creates a grid in an element. Rendering and scrolling work at once; input code loads after the first paint, and
 * `onNotLoaded` is called if that fails.
 */
function createGridControl<Row>(
  root: HTMLElement,
  scene: GridScene<Row>,
  options: GridOptions<Row>,
  onNotLoaded: () => void,
): GridControl<Row> {
  const host: GridHost<Row> = { options: options };
  const surface = new GridSurface(root, scene, createWindowReporter(host));
  surface.onMoved = () => {
    const row = surface.scene.rows.rowAt(surface.cursor.spot.line);
    if (row !== undefined) host.options.onActive?.(row);
  };
  surface.cursor.onSelected = () => {
    host.options.onSelect?.(keysOfSelection(surface.cursor, surface.scene.rows));
  };
  const listening = new AbortController();
  const { signal } = listening;
  root.addEventListener(
    'scroll',
    () => {
      surface.scrolled();
    },
    { passive: true, signal },
  );
  root.addEventListener(
    'scrollend',
    () => {
      surface.rest();
    },
    { signal },
  );
  const start = async (): Promise<void> => {
    const { attachInput } = await import('./grid-input.ts');
    attachInput(surface, host, signal);
  };
  deferInput(root, start, signal, onNotLoaded);
  return {
    show: (next, nextOptions) => {
      host.options = nextOptions;
      surface.show(next);
    },
    dispose: () => {
      listening.abort();
      surface.dispose();
      host.options.onSelect?.(new Set());
      // A removed element loses pointer and focus without an event.
      host.options.onBusy?.(false);
      host.options.onPoint?.(null);
    },
    goTo: (line, columnId) => {
      const named = surface.scene.plan.columns.find(({ column }) => column.id === columnId);
      surface.moveTo({ line, place: (named ?? surface.cursor.spot).place }, false);
    },
    move: (lines) => {
      const { line, place } = surface.cursor.spot;
      const last = surface.scene.rows.count - 1;
      surface.moveTo({ line: Math.max(0, Math.min(last, line + lines)), place }, false);
    },
    active: () => surface.activeRows,
  };
}

/** Returns the column layout, the same object until the user changes it. */
function useColumnPlan<Row>({ columns, state }: GridTable<Row>): ColumnPlan<Row> {
  const { order, widths, hidden, pinned } = state;
  // oxlint-disable-next-line react/exhaustive-deps -- other parts of the state, such as filters, do not affect it
  return useMemo(() => layColumns({ columns, state }), [columns, order, widths, hidden, pinned]);
}
