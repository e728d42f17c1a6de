import { recordExport } from '#model/tables/exported-rows.ts';
import { GridActions } from './grid-actions.ts';
import { toCommand, type GridCommand } from './grid-keys.ts';
import { listenToPointer, type Listen } from './grid-pointer.ts';
import type { GridSurface } from './grid-surface.ts';
import type { GridHost } from './window-reporter.ts';
import { flash } from '../flash/flash.ts';
import type { RowElement } from './row-pool.ts';

/** After `g`, which starts a navigation shortcut, the next key is not for the grid. */
const SEQUENCE_MS = 1_200;

/** Commands that repeat while a key is held down; others would undo themselves. */
const MOVEMENTS: ReadonlySet<GridCommand['type']> = new Set(['move', 'resize', 'moveColumn']);

/** Attaches keyboard, pointer and clipboard to a surface. */
export function attachInput<Row>(surface: GridSurface<Row>, host: GridHost<Row>, signal: AbortSignal): void {
  const actions = new GridActions(surface, host);
  const on: Listen = (type, listener) => {
    surface.root.addEventListener(type, listener, { signal });
  };
  let wentAt = -Infinity;
  on('keydown', (event) => {
    const { letters, filters = true } = host.options;
    const command = toCommand(event, surface.cursor.spot.line < 0, letters);
    const inSequence = event.timeStamp - wentAt < SEQUENCE_MS;
    wentAt = event.key === 'g' ? event.timeStamp : -Infinity;
    if (command === null || inSequence || (command.type === 'filter' && !filters)) return;
    // Also one whose texts are still being loaded.
    host.options.onPeekLost?.();
    if ((event.repeat && !MOVEMENTS.has(command.type)) || actions.run(command)) event.preventDefault();
  });
  on('copy', (event) => {
    const copy = actions.copied();
    if (copy === null || event.clipboardData === null) return;
    event.preventDefault();
    const recorded = recordExport({ what: `copied from ${surface.root.ariaLabel ?? 'a list'}`, count: copy.rows });
    if (recorded === null) event.clipboardData.setData('text/plain', copy.text);
    // Who refuses it says why.
    else
      void navigator.clipboard
        .write([new ClipboardItem({ 'text/plain': recorded.then(() => copy.text) })])
        .catch(() => undefined);
  });
  listenToPointer(actions, on);
  listenToPresence(actions, on, signal);
  flashChanges(surface, on);
}

/** Flashes figures that a refresh has changed: never those that only come into sight, by scrolling, sorting or filtering. */
function flashChanges<Row>(surface: GridSurface<Row>, on: Listen): void {
  let rows = surface.scene.rows;
  const running = new Map<Animation, { readonly shown: RowElement<Row>; readonly key: string }>();
  /** Elements are recycled: the flash of a row does not go on in another. */
  const stopMoved = (): void => {
    for (const [animation, { shown, key }] of running) if (rows.keyAt(shown.line) !== key) animation.cancel();
  };
  const flashRow = (shown: RowElement<Row>, before: Row, key: string): void => {
    for (const [index, { column }] of surface.drawn.entries()) {
      const cell = shown.cells[index];
      if (column.flashes !== true || cell === undefined || shown.row === undefined) continue;
      const animation = flash(cell, toFigure(column.value(before)), toFigure(column.value(shown.row)));
      if (animation === null) continue;
      running.set(animation, { shown, key });
      animation.onfinish = animation.oncancel = () => running.delete(animation);
    }
  };
  surface.onShown.add(() => {
    const before = rows;
    rows = surface.scene.rows;
    if (rows === before) return;
    stopMoved();
    if (rows.arrangement !== before.arrangement || !surface.drawn.some(({ column }) => column.flashes)) return;
    for (const shown of surface.rowElements) {
      const key = rows.keyAt(shown.line);
      const known = key === undefined ? undefined : before.rowAt(before.lineOf(key, shown.line));
      if (key !== undefined && known !== undefined && known !== shown.row) flashRow(shown, known, key);
    }
  });
  on('scroll', stopMoved);
}

function toFigure(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** How long rows keep their place below a pointer that no longer moves. */
const REST_MS = 4_000;

/** Reports whether the pointer is in use over the grid. One that merely rests there, and the focus, hold nothing back. */
function listenToPresence<Row>(actions: GridActions<Row>, on: Listen, signal: AbortSignal): void {
  let movedAt = 0;
  let at = { x: NaN, y: NaN };
  let timer: number | null = null;
  const end = (): void => {
    if (timer === null) return;
    window.clearTimeout(timer);
    timer = null;
    actions.events.onBusy?.(false);
  };
  // One timer for any number of moves.
  const check = (): void => {
    const left = movedAt + REST_MS - performance.now();
    if (left > 0) timer = window.setTimeout(check, left);
    else end();
  };
  const use = (): void => {
    movedAt = performance.now();
    if (timer !== null) return;
    timer = window.setTimeout(check, REST_MS);
    actions.events.onBusy?.(true);
  };
  on('pointerenter', use);
  on('pointerdown', use);
  on('wheel', use);
  on('pointermove', ({ clientX: x, clientY: y }) => {
    // Browsers report a move also where the rows moved below the pointer.
    if (at.x === x && at.y === y) return;
    at = { x, y };
    use();
  });
  on('pointerleave', end);
  signal.addEventListener('abort', () => {
    if (timer !== null) window.clearTimeout(timer);
  });
}
