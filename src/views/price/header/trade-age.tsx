import { useVenueTime } from '#api/react/use-venue-time.ts';
import type { Instant } from '#contract/instant.ts';
import { describeOldTrade } from '#panels/trade-age-text.ts';
import { Time } from '#ui/time/time.tsx';
import { useNowSelector } from '#ui/time/use-now.tsx';

/** How long ago a trade was, unless it is recent: a price just read may be hours old. */
export function TradeAge({ at }: { readonly at: Instant }) {
  const toVenueTime = useVenueTime();
  const text = useNowSelector((now) => describeOldTrade(at, toVenueTime(now)));
  return text === null ? null : (
    <Time at={at} of="Last trade">
      {text}
    </Time>
  );
}
