/** Runs in the browser: mounts the subject of a page and counts its frames. */
import { paintedWhen } from '../grid/paint.ts';

interface FundingStage {
  /** Mounts the subject, and returns how long it took until it was painted. */
  readonly mount: () => Promise<number>;
  readonly startFrames: () => void;
  readonly stopFrames: () => readonly number[];
}

declare global {
  var fundingStage: FundingStage | undefined;
}

/** Whether the first canvas has content: the library draws a whole chart at once. */
export function isDrawn(): boolean {
  const canvas = document.querySelector('canvas');
  if (canvas === null || canvas.width < 500) return false;
  const [, , , alpha = 0] =
    canvas.getContext('2d')?.getImageData(canvas.width >> 1, canvas.height >> 1, 1, 1).data ?? [];
  return alpha > 0;
}

export function present(mount: (root: HTMLElement) => void, holds: () => boolean): void {
  const root = document.querySelector<HTMLElement>('#root');
  if (root === null) throw new Error('the page has no root');
  globalThis.fundingStage = {
    ...createFrames(),
    mount: async () => {
      const start = performance.now();
      const painted = paintedWhen(holds);
      mount(root);
      return (await painted) - start;
    },
  };
}

function createFrames(): Pick<FundingStage, 'startFrames' | 'stopFrames'> {
  let times: number[] = [];
  let recording = false;
  const tick = (time: number): void => {
    if (!recording) return;
    times.push(time);
    requestAnimationFrame(tick);
  };
  return {
    startFrames: () => {
      times = [];
      recording = true;
      requestAnimationFrame(tick);
    },
    stopFrames: () => {
      recording = false;
      return times.slice(1).map((time, index) => time - (times[index] ?? time));
    },
  };
}
