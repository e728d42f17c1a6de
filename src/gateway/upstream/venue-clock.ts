/**
 * How far the venue's clock is ahead of ours, learnt from the `Date` of its answers. That has whole seconds only, so each
 * answer gives bounds, and the bounds of several together narrow it down.
 */
export interface VenueClock {
  readonly learn: (date: string | undefined, sentAt: number, receivedAt: number) => void;
  /** Null before the first answer with a `Date`. */
  readonly offsetMs: () => number | null;
  /** Whether there was an answer, with or without: asking again for its sake would be in vain. */
  readonly hasHeard: () => boolean;
}

const DATE_RESOLUTION_MS = 1_000;
/** Clocks drift apart: bounds learnt long ago loosen. */
const DRIFT = 1e-4;

export function createVenueClock(): VenueClock {
  let hasHeard = false;
  let bounds: { readonly low: number; readonly high: number; readonly at: number } | null = null;
  return {
    learn: (date, sentAt, receivedAt) => {
      hasHeard = true;
      const stamp = Date.parse(date ?? '');
      if (Number.isNaN(stamp)) return;
      const seen = { low: stamp - receivedAt, high: stamp + DATE_RESOLUTION_MS - sentAt };
      const slack = bounds === null ? 0 : Math.abs(receivedAt - bounds.at) * DRIFT;
      const low = Math.max(seen.low, (bounds?.low ?? -Infinity) - slack);
      const high = Math.min(seen.high, (bounds?.high ?? Infinity) + slack);
      // Bounds that do not meet say that one of the clocks was set: only the new ones count.
      bounds = low <= high ? { low, high, at: receivedAt } : { ...seen, at: receivedAt };
    },
    hasHeard: () => hasHeard,
    offsetMs: () => bounds && Math.round((bounds.low + bounds.high) / 2),
  };
}
