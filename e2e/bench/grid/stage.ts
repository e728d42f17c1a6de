/** Runs in the browser, with one contender: loads the orders and performs the benchmark's steps on the grid. */
import type { WireOrder } from '../lib/wire-orders.ts';
import type { Contender } from './contender.ts';
import { paintedWhen } from './paint.ts';
import type { RowsArea } from './screencast.ts';
import { nextSnapshot } from './snapshots.ts';

/** The functions that the benchmark calls from outside the page. */
export interface Stage {
  readonly firstRowMs: number;
  readonly fling: (ms: number) => Promise<readonly number[]>;
  readonly startFrames: () => void;
  readonly stopFrames: () => readonly number[];
  readonly toTop: () => Promise<void>;
  readonly middle: () => { readonly x: number; readonly y: number };
  /** Only whole rows, and their beginning, which always has text. */
  readonly rowsArea: () => RowsArea;
  readonly prepareUpdates: (count: number) => void;
  readonly update: (everyMs: number) => Promise<UpdateTimes>;
  /** Returns how long it takes until the step is painted. */
  readonly arrange: (step: ArrangeStep) => Promise<number>;
}

export interface UpdateTimes {
  readonly paintMs: readonly number[];
  /** The number of frames begun from the call to the one in which it is painted. */
  readonly frames: readonly number[];
  readonly longTasks: number;
}

export type ArrangeStep = 'sort' | 'unsort' | 'filter' | 'unfilter' | 'search' | 'unsearch';

declare global {
  var gridStage: Stage | undefined;
}

export async function present(contender: Contender): Promise<void> {
  const root = document.querySelector<HTMLElement>('#root');
  if (root === null) throw new Error('the page has no root');
  const orders = (await (await fetch('/orders.json')).json()) as readonly WireOrder[];
  const painted = paintedWhen(() => contender.topId() === orders[0]?.id);
  contender.mount(root, orders);
  const firstRowMs = await painted;
  await pause(300);
  globalThis.gridStage = {
    firstRowMs,
    ...createScrolling(contender, orders[0]?.id ?? ''),
    ...createChanging(contender, orders),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

function createScrolling(
  { scroller, topId }: Contender,
  firstId: string,
): Pick<Stage, 'fling' | 'startFrames' | 'stopFrames' | 'toTop' | 'middle' | 'rowsArea'> {
  let times: number[] = [];
  let recording = false;
  const startFrames = (): void => {
    times = [];
    recording = true;
    const tick = (time: number): void => {
      if (!recording) return;
      times.push(time);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  };
  const stopFrames = (): readonly number[] => {
    recording = false;
    return times.slice(1).map((time, index) => time - (times[index] ?? time));
  };
  return {
    startFrames,
    stopFrames,
    fling: async (ms) => {
      startFrames();
      await flingThrough(scroller(), ms);
      return stopFrames();
    },
    toTop: async () => {
      // Some grids keep scrolling for a while after the last turn of the wheel, so the position is set until it stays.
      for (const end = performance.now() + 8_000; topId() !== firstId && performance.now() < end;) {
        // A grid is notified only of a position that differs.
        scroller().scrollTop = scroller().scrollTop === 0 ? 1 : 0;
        await pause(50);
      }
      scroller().scrollTop = 0;
      if (topId() !== firstId) throw new Error('the grid does not go back to its top');
      await pause(250);
    },
    middle: () => {
      const { x, y, width, height } = scroller().getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    },
    rowsArea: () => {
      const { left, top, bottom } = scroller().getBoundingClientRect();
      return { left: left + EDGE_PX, top: top + EDGE_PX, right: left + EDGE_PX + AREA_PX, bottom: bottom - EDGE_PX };
    },
  };
}

/** A header that scrolls with the rows, and a scroll bar below them. */
const EDGE_PX = 44;
const AREA_PX = 500;

/**
 * Moves the scroll bar through all rows. It is moved in a task after each frame, so that event, drawing and paint
 * belong to the next one.
 */
function flingThrough(element: HTMLElement, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = element.scrollHeight - element.clientHeight;
  const start = performance.now();
  const afterFrame = new MessageChannel();
  const next = (): void => {
    afterFrame.port2.postMessage(null);
  };
  afterFrame.port1.onmessage = () => {
    const share = Math.min(1, (performance.now() - start) / ms);
    element.scrollTop = share * end;
    if (share < 1) requestAnimationFrame(next);
    else
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          resolve(undefined);
        }),
      );
  };
  requestAnimationFrame(next);
  return promise;
}

function createChanging(
  contender: Contender,
  orders: readonly WireOrder[],
): Pick<Stage, 'prepareUpdates' | 'update' | 'arrange'> {
  let present: readonly WireOrder[] = orders;
  let waiting: (readonly WireOrder[])[] = [];
  return {
    prepareUpdates: (count) => {
      waiting = [];
      let last = present;
      for (let index = 0; index < count; index++) {
        last = nextSnapshot(last, 1_000 + index);
        waiting.push(last);
      }
    },
    update: async (everyMs) => {
      const longTasks = countLongTasks();
      const paintMs: number[] = [];
      const frames: number[] = [];
      for (const next of waiting) {
        const count = countFrames();
        const [, took] = await Promise.all([
          pause(everyMs),
          timed(
            () => {
              contender.update(next);
            },
            () => contender.topId() === next[0]?.id,
          ).then((ms) => {
            frames.push(count());
            return ms;
          }),
        ]);
        paintMs.push(took);
      }
      present = waiting.at(-1) ?? present;
      return { paintMs, frames, longTasks: longTasks() };
    },
    arrange: (step) => arrange(contender, present, step),
  };
}

/** Returns how many frames have begun since. */
function countFrames(): () => number {
  let count = 0;
  let isCounting = true;
  const tick = (): void => {
    if (!isCounting) return;
    count += 1;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  return () => {
    isCounting = false;
    return count;
  };
}

function countLongTasks(): () => number {
  let count = 0;
  const observer = new PerformanceObserver((list) => {
    count += list.getEntries().length;
  });
  observer.observe({ type: 'longtask' });
  return () => {
    count += observer.takeRecords().length;
    observer.disconnect();
    return count;
  };
}

async function timed(step: () => void, holds: () => boolean): Promise<number> {
  const start = performance.now();
  const painted = paintedWhen(holds, 8_000);
  step();
  return (await painted) - start;
}

async function arrange(contender: Contender, orders: readonly WireOrder[], step: ArrangeStep): Promise<number> {
  const first = orders[0];
  const symbol = orders.find((order) => order.symbol !== first?.symbol)?.symbol ?? '';
  const highest = orders.reduce((most, { price }) => Math.max(most, price), -Infinity);
  const idsOf = (holds: (order: WireOrder) => boolean): ReadonlySet<string> =>
    new Set(orders.filter(holds).map(({ id }) => id));
  const firstWith = (holds: (order: WireOrder) => boolean): ReadonlySet<string> =>
    new Set([orders.find(holds)?.id ?? '']);
  const steps: Readonly<Record<ArrangeStep, readonly [act: () => void, top: ReadonlySet<string>]>> = {
    sort: [
      () => {
        contender.sortByPrice('desc');
      },
      idsOf(({ price }) => price === highest),
    ],
    unsort: [
      () => {
        contender.sortByPrice(null);
      },
      firstWith(() => true),
    ],
    filter: [
      () => {
        contender.filterSymbol(symbol);
      },
      firstWith((order) => order.symbol === symbol),
    ],
    unfilter: [
      () => {
        contender.filterSymbol(null);
      },
      firstWith(() => true),
    ],
    search: [
      () => {
        contender.search(symbol);
      },
      firstWith((order) => order.symbol.includes(symbol)),
    ],
    unsearch: [
      () => {
        contender.search('');
      },
      firstWith(() => true),
    ],
  };
  const [act, top] = steps[step];
  return timed(
    () => {
      inClick(act);
    },
    () => top.has(contender.topId() ?? ''),
  );
}

/**
 * Acts within a click, as a user sorts. A framework may postpone what happens outside of an event until after the next
 * frame.
 */
function inClick(act: () => void): void {
  const button = document.createElement('button');
  button.onclick = act;
  button.click();
}
