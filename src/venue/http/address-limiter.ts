/** The number of requests allowed within a window, for each client address. */
export interface Budget {
  readonly requests: number;
  readonly seconds: number;
}

const SWEEP_SIZE = 1_000;

/**
 * Creates a test of whether a request is within the budget: a sliding window per address. Rejected requests do not
 * count, because a client that keeps sending would never be admitted again. Time is in milliseconds of a monotonic
 * clock, because a wall clock that was set back would admit nothing until it caught up.
 */
export function createAddressLimiter({ requests, seconds }: Budget): (address: string, elapsed: number) => boolean {
  const window = seconds * 1_000;
  const admitted = new Map<string, number[]>();
  let sweepAt = SWEEP_SIZE;

  const dropExpired = (elapsed: number): void => {
    for (const [address, times] of admitted) {
      if ((times.at(-1) ?? 0) <= elapsed - window) admitted.delete(address);
    }
    sweepAt = Math.max(SWEEP_SIZE, admitted.size * 2);
  };

  return (address, elapsed) => {
    const times = admitted.get(address) ?? [];
    const firstCounted = times.findIndex((time) => time > elapsed - window);
    times.splice(0, firstCounted < 0 ? times.length : firstCounted);
    if (times.length >= requests) return false;
    times.push(elapsed);
    admitted.set(address, times);
    if (admitted.size > sweepAt) dropExpired(elapsed);
    return true;
  };
}
