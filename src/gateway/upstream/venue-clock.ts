import { parseHttpDate } from './response-headers.ts';

/**
 * How far the exchange’s clock is ahead of ours, measured by the `Date` of its responses. That has whole seconds only, so
 * each response gives bounds, and the bounds of several narrow the offset down.
 */
export interface VenueClock {
  readonly learn: (date: string | undefined, sentAt: number, receivedAt: number) => void;
  /** Null before the first response with a usable `Date`. */
  readonly offsetMs: () => number | null;
  /** The last `Date`, if it is none or cannot be the time: it changes no offset. */
  readonly ignoredDate: () => string | null;
  /** Whether there was a response, with or without a `Date`: another read for its sake would be wasted. */
  readonly hasSynced: () => boolean;
}

const DATE_RESOLUTION_MS = 1_000;
/** Clocks drift apart, so old bounds loosen. */
const DRIFT = 1e-4;
/**
 * A clock that shows local time as UTC is wrong by up to 14 hours. What is further away than a day is no time but a
 * mistake, here or there; following it would move all times on screen and date signatures to where nobody accepts them.
 */
const MAX_OFFSET_MS = 24 * 3_600_000;

export function createVenueClock(): VenueClock {
  let hasHeard = false;
  let ignored: string | null = null;
  let bounds: { readonly low: number; readonly high: number; readonly at: number } | null = null;
  return {
    learn: (date, sentAt, receivedAt) => {
      hasHeard = true;
      if (date === undefined) return;
      const stamp = parsePlausible(date, receivedAt);
      ignored = stamp === null ? date : null;
      if (stamp === null) return;
      const seen = { low: stamp - receivedAt, high: stamp + DATE_RESOLUTION_MS - sentAt };
      const slack = bounds === null ? 0 : Math.abs(receivedAt - bounds.at) * DRIFT;
      const low = Math.max(seen.low, (bounds?.low ?? -Infinity) - slack);
      const high = Math.min(seen.high, (bounds?.high ?? Infinity) + slack);
      // Bounds that do not overlap mean that one of the clocks was set: only the new ones count.
      bounds = low <= high ? { low, high, at: receivedAt } : { ...seen, at: receivedAt };
    },
    ignoredDate: () => ignored,
    hasSynced: () => hasHeard,
    offsetMs: () => bounds && Math.round((bounds.low + bounds.high) / 2),
  };
}

function parsePlausible(date: string, now: number): number | null {
  const stamp = parseHttpDate(date);
  return stamp === null || Math.abs(stamp - now) > MAX_OFFSET_MS ? null : stamp;
}
