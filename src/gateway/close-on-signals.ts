/** On the first signal to end, closes what is given, in that order; the process ends by itself once nothing is open any more. */
export function closeOnSignals(...closing: readonly (() => Promise<void>)[]): void {
  let isClosing = false;
  const close = async (): Promise<void> => {
    if (isClosing) return;
    isClosing = true;
    for (const part of closing) await part();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void close());
}
