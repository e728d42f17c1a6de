interface RepeatedRead {
  readonly read: (signal: AbortSignal) => Promise<void>;
  /** Milliseconds until the next one. */
  readonly toDelay: () => number;
  readonly isHidden: () => boolean;
}

/** Reads again and again while the page is visible, also after a read that failed. Returns what stops it. */
export function repeatReads({ read, toDelay, isHidden }: RepeatedRead): () => void {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const schedule = (): void => {
    // A read that was stopped ends later.
    if (controller.signal.aborted) return;
    timer = setTimeout(() => {
      if (isHidden()) schedule();
      else
        void read(controller.signal)
          .catch(() => undefined)
          .finally(schedule);
    }, toDelay());
  };
  schedule();
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}
