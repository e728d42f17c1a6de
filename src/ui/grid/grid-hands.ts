import { GridActions } from './grid-actions.ts';
import { toCommand, type GridCommand } from './grid-keys.ts';
import { listenToPointer, type Listen } from './grid-pointer.ts';
import type { GridSurface } from './grid-surface.ts';
import type { GridScreen } from './window-teller.ts';

/** After `g`, which begins a way to another screen, the next key is not the grid's. */
const SEQUENCE_MS = 1_200;

/** What a key does again and again while it is held down; anything else would undo itself. */
const MOVEMENTS: ReadonlySet<GridCommand['does']> = new Set(['move', 'resize', 'moveColumn']);

/** Lets keys, pointer and clipboard do something to what is painted. */
export function layHands<Row>(surface: GridSurface<Row>, screen: GridScreen<Row>, signal: AbortSignal): void {
  const actions = new GridActions(surface, screen);
  const on: Listen = (type, hear) => {
    surface.root.addEventListener(type, hear, { signal });
  };
  let wentAt = -Infinity;
  on('keydown', (event) => {
    const { letters, filters = true } = screen.manner;
    const command = toCommand(event, surface.cursor.spot.line < 0, letters);
    const inSequence = event.timeStamp - wentAt < SEQUENCE_MS;
    wentAt = event.key === 'g' ? event.timeStamp : -Infinity;
    if (command === null || inSequence || (command.does === 'filter' && !filters)) return;
    if ((event.repeat && !MOVEMENTS.has(command.does)) || actions.run(command)) event.preventDefault();
  });
  on('copy', (event) => {
    const text = actions.copied();
    if (text === null || event.clipboardData === null) return;
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  });
  listenToPointer(actions, on);
}
