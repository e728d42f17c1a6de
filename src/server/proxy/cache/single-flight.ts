import type { ReadCause } from '#server/core/ports.ts';

/** One read at a time for each key, shared by every caller meanwhile, and dropped when the last of them has gone. */
export interface SingleFlight<Result> {
  readonly find: (key: string) => Flight<Result> | undefined;
  /** What it was started for decides how long it waits for the budget, how often it is retried, and whose share it uses. */
  readonly start: (key: string, cause: ReadCause, read: (signal: AbortSignal) => Promise<Result>) => Flight<Result>;
}

interface Flight<Result> extends ReadCause {
  /** Rejects with the signal's reason when a caller aborts before the read settles. */
  readonly join: (signal: AbortSignal) => Promise<Result>;
}

export function createSingleFlight<Result>(): SingleFlight<Result> {
  // Few and short-lived. A Map that shrinks and grows for ever would keep their responses from the garbage collector.
  const flights: { readonly key: string; readonly flight: Flight<Result> }[] = [];
  return {
    find: (key) => flights.find((entry) => entry.key === key)?.flight,
    start: (key, cause, read) => {
      const flight = startFlight(cause, read, () => {
        remove(flights, (entry) => entry.flight === flight);
      });
      flights.push({ key, flight });
      return flight;
    },
  };
}

function remove<Item>(items: Item[], matches: (item: Item) => boolean): void {
  const index = items.findIndex(matches);
  if (index !== -1) items.splice(index, 1);
}

function startFlight<Result>(
  { purpose, payers }: ReadCause,
  read: (signal: AbortSignal) => Promise<Result>,
  onEnd: () => void,
): Flight<Result> {
  const controller = new AbortController();
  let callers = 0;
  const result = read(controller.signal).finally(onEnd);
  // Every caller may have left by the time it fails.
  result.catch(() => undefined);
  const leave = (): void => {
    callers -= 1;
    if (callers > 0) return;
    // The next caller must not join a dropped read.
    onEnd();
    controller.abort();
  };
  return {
    purpose,
    payers,
    join: (signal) =>
      new Promise((resolve, reject) => {
        callers += 1;
        const onAbort = (): void => {
          leave();
          reject(new DOMException('The caller has gone.', 'AbortError'));
        };
        if (signal.aborted) {
          onAbort();
          return;
        }
        signal.addEventListener('abort', onAbort, { once: true });
        const settleWith =
          <Value>(settle: (value: Value) => void) =>
          (value: Value): void => {
            signal.removeEventListener('abort', onAbort);
            settle(value);
          };
        result.then(settleWith(resolve), settleWith(reject));
      }),
  };
}
