import type { Micros } from '../model.ts';

/** So many requests in so many seconds, from one address. */
export interface Budget {
  readonly requests: number;
  readonly seconds: number;
}

const FEWEST_KEPT = 1_000;

/**
 * Says whether a request may be answered. Any stretch of the given length holds at most the given number; what was
 * refused does not count, or a client that goes on asking would never be let in again.
 */
export function createBudget({ requests, seconds }: Budget, speed: number): (address: string, now: Micros) => boolean {
  const window = seconds * 1_000_000 * speed;
  const admitted = new Map<string, Micros[]>();
  let sweepAt = FEWEST_KEPT;

  const forgetOld = (now: Micros): void => {
    for (const [address, times] of admitted) {
      if ((times.at(-1) ?? 0) <= now - window) admitted.delete(address);
    }
    sweepAt = Math.max(FEWEST_KEPT, admitted.size * 2);
  };

  return (address, now) => {
    const times = admitted.get(address) ?? [];
    const firstCounted = times.findIndex((time) => time > now - window);
    times.splice(0, firstCounted < 0 ? times.length : firstCounted);
    if (times.length >= requests) return false;
    times.push(now);
    admitted.set(address, times);
    if (admitted.size > sweepAt) forgetOld(now);
    return true;
  };
}
