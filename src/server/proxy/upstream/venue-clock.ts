import { parseHttpDate } from './response.ts';

/**
 * Measures how far the exchange’s clock is ahead of ours, by the `Date` of its responses. It has whole seconds only, so
 * each response gives bounds, and the bounds of several narrow down the offset.
 */
export interface VenueClock {
  readonly learn: (date: string | undefined, sentAt: number, receivedAt: number) => void;
  /** Null before the first response with a usable `Date`. */
  readonly offsetMs: () => number | null;
  /** The last `Date`, if it was malformed or implausible and therefore did not change the offset. */
  readonly ignoredDate: () => string | null;
  /** Whether there was a response, with or without a `Date`: another read only for the clock would be wasted. */
  readonly hasSynced: () => boolean;
}

const DATE_RESOLUTION_MS = 1_000;
/** Clocks drift apart, so old bounds loosen. */
const DRIFT = 1e-4;
/**
 * A date outside these years is a mistake: following it would move all times on screen, and some dates cannot even be
 * written in a signature. Within them, the exchange’s clock decides, however far from ours: a simulated one may run at
 * any time.
 */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

export function createVenueClock(): VenueClock {
  let hasSynced = false;
  let ignored: string | null = null;
  // All responses within a second have the same one.
  let last: { readonly date: string; readonly stamp: number | null } = { date: '', stamp: null };
  let bounds: { readonly low: number; readonly high: number; readonly at: number } | null = null;
  return {
    learn: (date, sentAt, receivedAt) => {
      hasSynced = true;
      if (date === undefined) return;
      if (date !== last.date) last = { date, stamp: parsePlausible(date) };
      const { stamp } = last;
      ignored = stamp === null ? date : null;
      if (stamp === null) return;
      const seen = { low: stamp - receivedAt, high: stamp + DATE_RESOLUTION_MS - sentAt };
      const slack = bounds === null ? 0 : Math.abs(receivedAt - bounds.at) * DRIFT;
      const low = Math.max(seen.low, (bounds?.low ?? -Infinity) - slack);
      const high = Math.min(seen.high, (bounds?.high ?? Infinity) + slack);
      // If the bounds do not overlap, one of the clocks was set, and only the new bounds count.
      bounds = low <= high ? { low, high, at: receivedAt } : { ...seen, at: receivedAt };
    },
    ignoredDate: () => ignored,
    hasSynced: () => hasSynced,
    offsetMs: () => bounds && Math.round((bounds.low + bounds.high) / 2),
  };
}

function parsePlausible(date: string): number | null {
  const stamp = parseHttpDate(date);
  return stamp === null || stamp < EARLIEST || stamp >= LATEST ? null : stamp;
}
