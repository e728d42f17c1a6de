import type { GridActions } from './grid-actions.ts';
import type { Listen } from './grid-pointer.ts';

/** How long rows keep their place below a pointer that no longer moves. */
const REST_MS = 4_000;

/** Reports whether the pointer is in use over the grid. One that merely rests there, and the focus, hold nothing back. */
export function listenToPresence<Row>(actions: GridActions<Row>, on: Listen, signal: AbortSignal): void {
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
