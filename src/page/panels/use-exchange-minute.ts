import { useKnownVenueTime } from '#page/client/react/use-venue-time.ts';
import { useNowSelector } from '#page/kit/time/use-now.tsx';

const MINUTE_MS = 60_000;

/** Epoch milliseconds by the exchange's clock, at the start of the minute; null until its time is known. */
export function useExchangeMinute(): number | null {
  const toVenueTime = useKnownVenueTime();
  return useNowSelector((now) => {
    const venueNow = toVenueTime(now);
    return venueNow === null ? null : Math.floor(venueNow / MINUTE_MS) * MINUTE_MS;
  });
}
