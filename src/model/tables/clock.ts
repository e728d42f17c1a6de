/** The clock from which screens compute ages. It ticks once a second while the page is visible. */
export interface Clock {
  /** Returns epoch milliseconds at the last tick: the same for everything rendered together. */
  readonly read: () => number;
  readonly subscribe: (listener: () => void) => () => void;
}
