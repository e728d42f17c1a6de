import type { GridOptions } from './grid-props.ts';
import { GridSurface, type GridScene } from './grid-surface.ts';
import { deferInput } from './defer-input.ts';
import { keysOfSelection } from './cursor.ts';
import { createWindowReporter, type GridHost } from './window-reporter.ts';

export interface GridControl<Row> {
  readonly show: (scene: GridScene<Row>, options: GridOptions<Row>) => void;
  readonly dispose: () => void;
  readonly goTo: (line: number, columnId?: string) => void;
}

/** Rendering and scrolling work at once; code for input is loaded after the first paint. `onNotLoaded` is called where that fails. */
export function createGridControl<Row>(
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
  };
}
