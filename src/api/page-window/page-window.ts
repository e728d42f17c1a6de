import type { Instant } from '#contract/instant.ts';
import type { Newer } from './newer.ts';
import type { Look, Wanted, WindowState } from './window-state.ts';

/** What a window shows of itself; another object whenever something in it has changed. */
export interface WindowView<Row> extends WindowState<Row> {
  /** What is being read. */
  readonly doing: Wanted['kind'] | null;
  readonly newer: Newer;
}

/** A list read page by page, of which only a stretch is in memory. */
export interface PageWindow<Row> {
  readonly read: () => WindowView<Row>;
  readonly subscribe: (listener: () => void) => () => void;
  /** Undefined where the row is not in memory: `show` brings it. */
  readonly rowAt: (row: number) => Row | undefined;
  readonly show: (look: Look) => void;
  /** Asks again for what could not be had. */
  readonly retry: () => void;
  /** Asks whether there is something newer; nothing that is shown changes by it. */
  readonly lookForNewer: () => Promise<void>;
  /** Puts what is newer into the list, as soon as what is being read is there; a failure puts it off until it is asked again. */
  readonly takeNewer: () => void;
  /** Reads on until a moment is reached; null: no further. */
  readonly readUntil: (until: Instant | null) => void;
  readonly close: () => void;
}
