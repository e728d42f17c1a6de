import type { Instant } from '#contract/exchange/instant.ts';
import type { NewerRows } from './newer.ts';
import type { Viewport, NextRead, WindowState } from './window-state.ts';

/** A snapshot of the window; a new object after every change. */
export interface WindowView<Row> extends WindowState<Row> {
  /** The read under way. */
  readonly reading: NextRead['kind'] | null;
  readonly newer: NewerRows;
}

/** A list that is read page by page, of which only some pages are in memory. */
export interface PageWindow<Row> {
  readonly read: () => WindowView<Row>;
  readonly subscribe: (listener: () => void) => () => void;
  /** Undefined where the row is not in memory: `setViewport` reads it. */
  readonly rowAt: (row: number) => Row | undefined;
  readonly setViewport: (viewport: Viewport) => void;
  /** Repeats the read that failed; `isAwaited`: for a person who waits. */
  readonly retry: (isAwaited?: boolean) => void;
  /** Checks for newer rows without changing the list. */
  readonly checkForNewer: () => Promise<void>;
  /** Adds newer rows to the list after the read under way; if that fails, `retry` tries again. */
  readonly loadNewer: () => void;
  /** Reads pages until an instant is reached; null stops. */
  readonly loadUntil: (until: Instant | null) => void;
  readonly close: () => void;
}
