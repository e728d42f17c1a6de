/** So many requests in so many seconds, from one address. */
export interface Budget {
  readonly requests: number;
  readonly seconds: number;
}

const FEWEST_KEPT = 1_000;

/**
 * Says whether a request may be answered. Any stretch of the given length holds at most the given number; what was
 * refused does not count, or a client that goes on asking would never be let in again. Time is in milliseconds that go
 * on evenly: while a clock that was set back stands still, nobody would be let in.
 */
export function createAddressLimiter({ requests, seconds }: Budget): (address: string, elapsed: number) => boolean {
  const window = seconds * 1_000;
  const admitted = new Map<string, number[]>();
  let sweepAt = FEWEST_KEPT;

  const forgetOld = (elapsed: number): void => {
    for (const [address, times] of admitted) {
      if ((times.at(-1) ?? 0) <= elapsed - window) admitted.delete(address);
    }
    sweepAt = Math.max(FEWEST_KEPT, admitted.size * 2);
  };

  return (address, elapsed) => {
    const times = admitted.get(address) ?? [];
    const firstCounted = times.findIndex((time) => time > elapsed - window);
    times.splice(0, firstCounted < 0 ? times.length : firstCounted);
    if (times.length >= requests) return false;
    times.push(elapsed);
    admitted.set(address, times);
    if (admitted.size > sweepAt) forgetOld(elapsed);
    return true;
  };
}
