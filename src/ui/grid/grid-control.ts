import { GridActions } from './grid-actions.ts';
import { toCommand } from './grid-keys.ts';
import { listenToPointer } from './grid-pointer.ts';
import type { GridManner } from './grid-props.ts';
import type { GridScene } from './grid-surface.ts';

export interface GridControl<Row> {
  readonly show: (scene: GridScene<Row>, manner: GridManner<Row>) => void;
  readonly dispose: () => void;
  readonly goTo: (line: number) => void;
  readonly clearSelection: () => void;
}

/** After `g`, which begins a way to another screen, the next key is not the grid's. */
const SEQUENCE_MS = 1_200;

export function createGridControl<Row>(root: HTMLElement, scene: GridScene<Row>, manner: GridManner<Row>): GridControl<Row> {
  const actions = new GridActions(root, scene, manner);
  let { letters } = manner;
  const { surface } = actions;
  const listening = new AbortController();
  const { signal } = listening;
  let wentAt = -Infinity;
  root.addEventListener('scroll', () => { surface.scrolled(); }, { passive: true, signal });
  root.addEventListener('scrollend', () => { surface.rest(); }, { signal });
  root.addEventListener('keydown', (event) => {
    const command = toCommand(event, surface.cursor.spot.line < 0, letters);
    const inSequence = event.timeStamp - wentAt < SEQUENCE_MS;
    wentAt = event.key === 'g' ? event.timeStamp : -Infinity;
    if (command !== null && !inSequence && actions.run(command)) event.preventDefault();
  }, { signal });
  root.addEventListener('copy', (event) => {
    const text = actions.copied();
    if (text === null || event.clipboardData === null) return;
    event.clipboardData.setData('text/plain', text);
    event.preventDefault();
  }, { signal });
  listenToPointer(actions, signal);
  return {
    show: (next, nextManner) => {
      actions.events = nextManner;
      ({ letters } = nextManner);
      surface.show(next);
    },
    dispose: () => {
      listening.abort();
      surface.dispose();
      // What is taken away is left by pointer and keyboard without an event.
      actions.events.onBusy?.(false);
    },
    goTo: (line) => { actions.moveTo({ line, place: surface.cursor.spot.place }, false); },
    clearSelection: () => { actions.drop(); },
  };
}
