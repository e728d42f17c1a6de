import { recordExport } from '#model/tables/exported-rows.ts';
import { flashChanges } from './flash-changes.ts';
import { GridActions } from './grid-actions.ts';
import { toCommand, type GridCommand } from './grid-keys.ts';
import { listenToPointer, type Listen } from './grid-pointer.ts';
import { listenToPresence } from './grid-presence.ts';
import type { GridSurface } from './grid-surface.ts';
import type { GridHost } from './window-reporter.ts';

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
