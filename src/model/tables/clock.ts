/** The time that screens compute ages from; it ticks once a second while the page is visible. */
export interface Clock {
  /** Epoch milliseconds at the last tick: the same for everything rendered together. */
  readonly read: () => number;
  readonly subscribe: (listener: () => void) => () => void;
}
