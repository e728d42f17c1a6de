/** These functions run in the page of orders, each by itself, because they are sent there as text. */
import type { paintedWhen } from '../grid/paint.ts';

declare global {
  var ofPage: { readonly paintedWhen: typeof paintedWhen; readonly textOf: (column: string) => string } | undefined;
  var seenLong: { longMs: number; ownMs: number } | undefined;
  /** Called with the time at which the reader of the stream received changes. */
  var onReceived: ((at: number) => void) | undefined;
}

/** Watches the worker. This runs before the page's own scripts. */
export function watchWorker(): void {
  const { SharedWorker } = globalThis;
  globalThis.SharedWorker = class extends SharedWorker {
    constructor(...parts: ConstructorParameters<typeof SharedWorker>) {
      super(...parts);
      this.port.addEventListener(
        'message',
        ({ data }: MessageEvent<{ readonly kind: string; readonly receivedAt: number }>) => {
          if (data.kind === 'rows') globalThis.onReceived?.(data.receivedAt - performance.timeOrigin);
        },
      );
    }
  };
}

/** Measures from now on how long the page is in long tasks, and how long its own code runs in one frame. */
export function watchLong(): void {
  interface Message extends PerformanceEntry {
    readonly scripts: readonly { readonly duration: number; readonly sourceURL: string }[];
  }
  const isFirst = globalThis.seenLong === undefined;
  const seen = (globalThis.seenLong ??= { longMs: 0, ownMs: 0 });
  [seen.longMs, seen.ownMs] = [0, 0];
  if (!isFirst) return;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longMs += duration;
  }).observe({ type: 'longtask' });
  new PerformanceObserver((list) => {
    for (const { scripts } of list.getEntries() as Message[]) {
      const own = scripts.filter(({ sourceURL }) => sourceURL.startsWith(location.origin));
      seen.ownMs = Math.max(seen.ownMs, ...own.map(({ duration }) => duration));
    }
  }).observe({ type: 'long-animation-frame' });
}

/** Returns a column's text of the first order. */
export function textOf(column: string): string {
  return (
    document.querySelector(`[aria-label="Working orders"] [aria-rowindex="2"] [data-column="${column}"]`)
      ?.textContent ?? ''
  );
}

/** Returns the milliseconds from the receipt of changes until they are painted. */
export async function timePaint(): Promise<number> {
  const { paintedWhen: until, textOf: read } = globalThis.ofPage ?? {};
  if (until === undefined || read === undefined) throw new Error('the page is not prepared');
  // Looking for it in each frame before there is anything to see would be most of the page's work.
  const receivedAt = await new Promise<number>((resolve) => {
    globalThis.onReceived = resolve;
  });
  const before = read('id');
  return (await until(() => read('id') !== before)) - receivedAt;
}

export interface Seen {
  readonly value: number;
  /** Epoch milliseconds. */
  readonly paintedAt: number;
}

/** Records what the clock's order showed, and when. */
export async function watchClock(ms: number): Promise<readonly Seen[]> {
  const { paintedWhen: until, textOf: read } = globalThis.ofPage ?? {};
  if (until === undefined || read === undefined) throw new Error('the page is not prepared');
  const seen: Seen[] = [];
  for (const end = Date.now() + ms; Date.now() < end;) {
    const before = read('remaining');
    const painted = await until(() => read('remaining') !== before, 60_000);
    seen.push({
      value: Number(read('remaining').replaceAll(/\D/g, '')),
      paintedAt: Date.now() - (performance.now() - painted),
    });
  }
  return seen;
}
