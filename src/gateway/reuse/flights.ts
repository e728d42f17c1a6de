import type { Purpose } from '../ports.ts';

/** One read at a time for each key, shared by everybody who asks meanwhile, dropped when the last of them has gone. */
export interface Flights<Result> {
  readonly find: (key: string) => Flight<Result> | undefined;
  readonly start: (key: string, purpose: Purpose, read: (signal: AbortSignal) => Promise<Result>) => Flight<Result>;
}

interface Flight<Result> {
  /** What it was begun for: how long it waits for the budget, and how often it is tried. */
  readonly purpose: Purpose;
  /** Rejects with the signal's reason for who leaves before the landing. */
  readonly join: (signal: AbortSignal) => Promise<Result>;
}

export function createFlights<Result>(): Flights<Result> {
  // Few at a time and each gone soon: a Map would keep them from the garbage collector for long after.
  const flights: { readonly key: string; readonly flight: Flight<Result> }[] = [];
  return {
    find: (key) => flights.find((entry) => entry.key === key)?.flight,
    start: (key, purpose, read) => {
      const flight = takeOff(purpose, read, () => {
        const index = flights.findIndex((entry) => entry.flight === flight);
        if (index !== -1) flights.splice(index, 1);
      });
      flights.push({ key, flight });
      return flight;
    },
  };
}

function takeOff<Result>(purpose: Purpose, read: (signal: AbortSignal) => Promise<Result>, onEnd: () => void): Flight<Result> {
  const controller = new AbortController();
  let passengers = 0;
  const landing = read(controller.signal).finally(onEnd);
  // Everybody may have left: then nobody hears of the failure.
  landing.catch(() => undefined);
  const leave = (): void => {
    passengers -= 1;
    if (passengers > 0) return;
    // A dropped read must not be joined by who asks next.
    onEnd();
    controller.abort();
  };
  return {
    purpose,
    join: (signal) =>
      new Promise((resolve, reject) => {
        passengers += 1;
        const onAbort = (): void => {
          leave();
          reject(new DOMException('Nobody waits any more.', 'AbortError'));
        };
        if (signal.aborted) {
          onAbort();
          return;
        }
        signal.addEventListener('abort', onAbort, { once: true });
        const arrive =
          <Said>(settle: (said: Said) => void) =>
          (said: Said): void => {
            signal.removeEventListener('abort', onAbort);
            settle(said);
          };
        landing.then(arrive(resolve), arrive(reject));
      }),
  };
}
