import type { Instant } from '#contract/exchange/instant.ts';
import { toMillis } from './session.ts';

/** A price that is older says so beside it. */
const RECENT_SECONDS = 300;
/** As far as clocks may differ. */
const AHEAD_SECONDS = 30;

/** Whether a last trade is so old that its price may have been overtaken by the market. */
export function isOldTrade(ageSeconds: number): boolean {
  return ageSeconds > RECENT_SECONDS;
}

/** Seconds since a trade by the exchange's clock; null where the trade is dated in the future. */
export function toTradeAge(at: Instant, venueNow: number): number | null {
  const seconds = (venueNow - toMillis(at)) / 1_000;
  return seconds < -AHEAD_SECONDS ? null : Math.max(0, seconds);
}
