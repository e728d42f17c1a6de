import type { GridManner } from './grid-props.ts';
import { GridSurface, type GridScene } from './grid-surface.ts';
import { handleLater } from './handle-later.ts';
import { createWindowTeller, type GridScreen } from './window-teller.ts';

export interface GridControl<Row> {
  readonly show: (scene: GridScene<Row>, manner: GridManner<Row>) => void;
  readonly dispose: () => void;
  readonly goTo: (line: number, columnId?: string) => void;
}

/** What paints and scrolls is there at once; what a hand does with it comes when it is painted, or else `onNotLoaded` tells. */
export function createGridControl<Row>(root: HTMLElement, scene: GridScene<Row>, manner: GridManner<Row>, onNotLoaded: () => void): GridControl<Row> {
  const screen: GridScreen<Row> = { manner };
  const surface = new GridSurface(root, scene, createWindowTeller(screen));
  const listening = new AbortController();
  const { signal } = listening;
  root.addEventListener('scroll', () => { surface.scrolled(); }, { passive: true, signal });
  root.addEventListener('scrollend', () => { surface.rest(); }, { signal });
  const begin = async (): Promise<void> => {
    const { layHands } = await import('./grid-hands.ts');
    layHands(surface, screen, signal);
  };
  handleLater(root, begin, signal, onNotLoaded);
  return {
    show: (next, nextManner) => {
      screen.manner = nextManner;
      surface.show(next);
    },
    dispose: () => {
      listening.abort();
      surface.dispose();
      // What is taken away is left by pointer and keyboard without an event.
      screen.manner.onBusy?.(false);
      screen.manner.onPoint?.(null);
    },
    goTo: (line, columnId) => {
      const named = surface.scene.plan.columns.find(({ column }) => column.id === columnId);
      surface.moveTo({ line, place: (named ?? surface.cursor.spot).place }, false);
    },
  };
}
