type Close = () => Promise<void>;

export type EndingSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

interface Process {
  readonly on: (signal: EndingSignal, listener: () => void) => unknown;
}

/** What is open, and is closed on the first signal. The process then ends by itself. */
export interface Closing<Part extends string> {
  readonly opened: (part: Part, close: Close) => void;
  /** Closes what is open now, each part once. May be called again after more was opened. */
  readonly close: Close;
  readonly isClosing: () => boolean;
}

/** Parts are closed in the given order, whatever order they were opened in. */
export function closeOnSignals<Part extends string>(
  { on }: Process,
  signals: readonly EndingSignal[],
  order: readonly Part[],
): Closing<Part> {
  const open = new Map<Part, Close>();
  let isClosing = false;
  const close = async (): Promise<void> => {
    isClosing = true;
    for (const part of order) {
      const closePart = open.get(part);
      open.delete(part);
      await closePart?.();
    }
  };
  // Under npm, Ctrl-C arrives twice.
  const onSignal = (): void => {
    if (!isClosing) void close();
  };
  for (const signal of signals) on(signal, onSignal);
  return { opened: (part, closePart) => void open.set(part, closePart), close, isClosing: () => isClosing };
}
