/** What the pages of this benchmark share: waiting for paint, panning and zooming, counting. */
import { nextTask } from '../../../../src/page/kit/next-task.ts';

/** The functions that the benchmark calls in a page. */
export interface Bench {
  /** Prepares everything that is needed before the measurement. */
  readonly prepare: () => Promise<void>;
  /** Draws, and returns the milliseconds from the start to the frame that shows it. */
  readonly show: () => Promise<number>;
  /** Whether parts that are out of sight have been drawn, too, if that happens later. */
  readonly isWhole?: () => boolean;
}

declare global {
  interface Window {
    bench?: Bench & { readonly panAndZoom: typeof panAndZoom };
  }
}

/** Waits for the callback of a frame, before it is painted. */
function frame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Waits until all of a frame's callbacks and its layout are done, before it is painted. */
async function endOfFrame(): Promise<void> {
  await frame();
  await new Promise<void>((resolve) => {
    const observer = new ResizeObserver(() => {
      observer.disconnect();
      resolve();
    });
    observer.observe(document.documentElement);
  });
}

const LONGEST_MS = 20_000;

/** Starts drawing and waits until it is painted. */
export async function untilPainted(start: () => void, isThere: () => boolean): Promise<number> {
  const from = performance.now();
  start();
  do {
    if (performance.now() - from > LONGEST_MS)
      throw new Error(`Nothing was drawn within ${String(LONGEST_MS)} ms: ${document.body.innerText.slice(0, 300)}`);
    await endOfFrame();
  } while (!isThere());
  // The frame is painted before the next task.
  await nextTask();
  return performance.now() - from;
}

type DrawRectangle = (this: CanvasRenderingContext2D, x: number, y: number, width: number, height: number) => void;

/** Counts rectangles drawn on canvases: candles and columns are made of them. */
export function countRectangles(): () => number {
  let count = 0;
  const { value: fillRect } = Object.getOwnPropertyDescriptor(
    CanvasRenderingContext2D.prototype,
    'fillRect',
  ) as TypedPropertyDescriptor<DrawRectangle>;
  CanvasRenderingContext2D.prototype.fillRect = function (...at) {
    count += 1;
    fillRect?.apply(this, at);
  };
  return () => count;
}

const FRAMES = 150;

/** Drags the chart back and forth, then zooms in and out by the wheel, one step per frame. */
export async function panAndZoom(selector: string) {
  const host = document.querySelector(selector);
  if (host === null) throw new Error(`No element matches ${selector}.`);
  const { left, top, width, height } = host.getBoundingClientRect();
  const middle = { x: left + width / 2, y: top + height / 4 };
  const target = document.elementFromPoint(middle.x, middle.y);
  if (target === null) throw new Error('There is nothing to drag at the middle of the chart.');
  const longTasks: number[] = [];
  const observer = new PerformanceObserver((list) => {
    longTasks.push(...list.getEntries().map(({ duration }) => duration));
  });
  observer.observe({ type: 'longtask' });
  const pan = await drag(target, middle);
  const zoom = await turn(target, middle);
  await frame();
  await nextTask();
  observer.disconnect();
  return { pan, zoom, longTasks };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function mouse(target: EventTarget, type: string, { x, y }: Point): void {
  target.dispatchEvent(
    new MouseEvent(type, {
      bubbles: true,
      cancelable: true,
      clientX: x,
      clientY: y,
      screenX: x,
      screenY: y,
      buttons: 1,
      view: window,
    }),
  );
}

async function drag(target: Element, { x, y }: Point): Promise<readonly number[]> {
  mouse(target, 'mouseenter', { x, y });
  mouse(target, 'mousedown', { x, y });
  const times = await eachFrame((step) => {
    mouse(target, 'mousemove', { x: x + 200 * Math.sin(step / 12), y });
  });
  mouse(target, 'mouseup', { x, y });
  return times;
}

function turn(target: Element, { x, y }: Point): Promise<readonly number[]> {
  return eachFrame((step) => {
    const deltaY = Math.floor(step / 25) % 2 === 0 ? -40 : 40;
    target.dispatchEvent(
      new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX: x, clientY: y, deltaY, view: window }),
    );
  });
}

/** Returns the milliseconds between frames. */
async function eachFrame(act: (step: number) => void): Promise<readonly number[]> {
  const times: number[] = [];
  let before = await frame();
  for (let step = 0; step < FRAMES; step += 1) {
    act(step);
    const now = await frame();
    times.push(now - before);
    before = now;
  }
  return times;
}

export function register(bench: Bench): void {
  window.bench = { ...bench, panAndZoom };
}
