/** Runs in the page: scrolls the grid from end to end and records every row it draws. */

export interface ScrollReport {
  /** The ids of the lines that were drawn. */
  readonly lowest: number;
  readonly highest: number;
  readonly frameMs: readonly number[];
  /** The main thread's tasks of over 50 ms, as the browser reports them. */
  readonly longTasks: readonly number[];
  /** The frames in which a row in sight was not there yet. */
  readonly waitingFrames: number;
}

export interface Limits {
  /** How far the way down goes. */
  readonly line: number;
  /** The limit on the duration. */
  readonly ms: number;
}

interface Scroller {
  /** Ids by line; 0: not drawn. */
  readonly seen: BigUint64Array;
  readonly run: (way: 'down' | 'up', limits: Limits) => Promise<ScrollReport>;
  readonly clear: () => void;
}

declare global {
  var scroller: Scroller | undefined;
}

export function installScroller(mostLines: number): void {
  const seen = new BigUint64Array(mostLines);
  const look = (
    grid: HTMLElement,
  ): { readonly waiting: boolean; readonly lowest: number; readonly highest: number } => {
    let [waiting, lowest, highest] = [false, Infinity, -1];
    for (const row of grid.querySelectorAll<HTMLElement>('[data-part=body] > [role=row]')) {
      const line = Number(row.getAttribute('aria-rowindex')) - 2;
      const id = row.hasAttribute('data-pending') ? '' : (row.querySelector('[data-column=id]')?.textContent ?? '');
      if (id === '') waiting = true;
      else seen[line] = BigInt(id);
      lowest = Math.min(lowest, line);
      highest = Math.max(highest, line);
    }
    return { waiting, lowest, highest };
  };
  const isThere = (
    grid: HTMLElement,
    way: 'down' | 'up',
    stopAtLine: number,
    { lowest, highest }: ReturnType<typeof look>,
  ): boolean => {
    if (way === 'up') return lowest === 0;
    const isEnd = document.querySelector('footer')?.textContent.includes('All orders loaded') === true;
    return highest >= stopAtLine || (isEnd && highest === Number(grid.getAttribute('aria-rowcount')) - 2);
  };
  const run: Scroller['run'] = (way, { line: stopAtLine, ms }) =>
    new Promise((resolve) => {
      // Another list has another grid.
      const grid = document.querySelector<HTMLElement>('[role=grid]');
      if (grid === null) throw new Error('there is no grid');
      const deltas: number[] = [];
      const longTasks: number[] = [];
      const start = performance.now();
      let [waitingFrames, last, lowest, highest] = [0, start, Infinity, -1];
      const observer = new PerformanceObserver((entries) => {
        longTasks.push(...entries.getEntries().map(({ duration }) => duration));
      });
      observer.observe({ type: 'longtask' });
      const finish = (): void => {
        observer.disconnect();
        resolve({ lowest, highest, frameMs: deltas, longTasks, waitingFrames });
      };
      const frame = (): void => {
        const now = performance.now();
        deltas.push(now - last);
        last = now;
        // This is what the last frame showed.
        const drawn = look(grid);
        if (drawn.waiting) waitingFrames += 1;
        lowest = Math.min(lowest, drawn.lowest);
        highest = Math.max(highest, drawn.highest);
        if (now - start > ms || (!drawn.waiting && isThere(grid, way, stopAtLine, drawn))) {
          finish();
          return;
        }
        // One screen per frame is twice as fast as a held key: one way through a million takes ten minutes.
        if (!drawn.waiting)
          grid.dispatchEvent(
            new KeyboardEvent('keydown', {
              key: way === 'down' ? 'PageDown' : 'PageUp',
              bubbles: true,
              cancelable: true,
            }),
          );
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
  globalThis.scroller = { seen, run, clear: () => seen.fill(0n) };
}

/** Returns what was seen, some lines at a time: as a single text it would be twenty megabytes. */
export function readSeen([from, to]: readonly [number, number]): string {
  return [...(globalThis.scroller?.seen.subarray(from, to) ?? [])].join();
}
