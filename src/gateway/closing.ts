type Close = () => Promise<void>;

interface Process {
  readonly on: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void) => unknown;
}

/** What is open, and is closed on the first signal: the process ends by itself once nothing is. */
export interface Closing {
  /** Closed in the order they are in, each once. */
  readonly parts: Close[];
  /** Closes what is open by now, also where more was opened since it was called. */
  readonly close: Close;
  readonly isClosing: () => boolean;
}

export function closeOnSignals({ on }: Process, ...parts: Close[]): Closing {
  let isClosing = false;
  const close = async (): Promise<void> => {
    isClosing = true;
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) await part();
  };
  // Under npm, Ctrl-C comes twice.
  const onSignal = (): void => {
    if (!isClosing) void close();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) on(signal, onSignal);
  return { parts, close, isClosing: () => isClosing };
}
