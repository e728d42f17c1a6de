/**
 * How far the exchange's clock is ahead of ours, measured by the `Date` of its responses. That has whole seconds only, so
 * each response gives bounds, and the bounds of several narrow the offset down.
 */
export interface VenueClock {
  readonly learn: (date: string | undefined, sentAt: number, receivedAt: number) => void;
  /** Null before the first response with a `Date`. */
  readonly offsetMs: () => number | null;
  /** Whether there was a response, with or without a `Date`: another read for its sake would be wasted. */
  readonly hasSynced: () => boolean;
}

const DATE_RESOLUTION_MS = 1_000;
/** Clocks drift apart, so old bounds loosen. */
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
      // Bounds that do not overlap mean that one of the clocks was set: only the new ones count.
      bounds = low <= high ? { low, high, at: receivedAt } : { ...seen, at: receivedAt };
    },
    hasSynced: () => hasHeard,
    offsetMs: () => bounds && Math.round((bounds.low + bounds.high) / 2),
  };
}
