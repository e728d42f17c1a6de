import type { Instant } from '#contract/exchange/instant.ts';
import { isOldTrade, toTradeAge } from '../time/trade-age.ts';
import { formatDuration } from '../format/format-time.ts';

/** A newer trade may have happened since the last read, so seconds would say more than is known. */
export function formatTradeAge(seconds: number): string {
  return seconds < 60 ? '< 1 min' : formatDuration(seconds);
}

/** `12 min ago`; null for a trade that is recent, or dated in the future. */
export function describeOldTrade(at: Instant, venueNow: number): string | null {
  const age = toTradeAge(at, venueNow);
  return age === null || !isOldTrade(age) ? null : `${formatTradeAge(age)} ago`;
}
