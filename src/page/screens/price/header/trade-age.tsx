import { useVenueTime } from '#page/client/react/use-venue-time.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { describeOldTrade } from '#model/tables/trade-age-text.ts';
import { Time } from '#page/kit/time/time.tsx';
import { useNowSelector } from '#page/kit/time/use-now.tsx';

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
