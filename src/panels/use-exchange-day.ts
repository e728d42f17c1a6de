import { useKnownVenueTime } from '#api/react/use-venue-time.ts';
import type { Day } from '#contract/day.ts';
import { exchangeDayOf } from '#domain/time/exchange-day.ts';
import { useNowSelector } from '#ui/time/use-now.tsx';

/** Today by the exchange's clock and calendar; null until its time is known. */
export function useExchangeDay(): Day | null {
  const toVenueTime = useKnownVenueTime();
  return useNowSelector((now) => {
    const venueNow = toVenueTime(now);
    return venueNow === null ? null : exchangeDayOf(venueNow);
  });
}
