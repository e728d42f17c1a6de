import { useKnownVenueTime } from '#page/client/react/use-desk-status.ts';
import { useNowSelector } from '#page/kit/time/use-now.tsx';
import { useMemo } from 'react';
import { type DueTimes, toDueTimes } from '#model/time/overdue.ts';
import { toMillis } from '#model/time/session.ts';

const MINUTE_MS = 60_000;

/** Returns the start of the current minute by the exchange’s clock, in epoch milliseconds; null until that is known. */
export function useExchangeMinute(): number | null {
  const toVenueTime = useKnownVenueTime();
  return useNowSelector((now) => {
    const venueNow = toVenueTime(now);
    return venueNow === null ? null : Math.floor(venueNow / MINUTE_MS) * MINUTE_MS;
  });
}

/**
 * Returns what is due now; null until the exchange’s time is known. The object stays the same until something else is
 * due.
 */
export function useDueTimes(): DueTimes | null {
  const toVenueTime = useKnownVenueTime();
  // The value is a text, so that it can be compared from one second to the next.
  const text = useNowSelector((now) => {
    const venueNow = toVenueTime(now);
    return venueNow === null ? null : JSON.stringify(toDueTimes(venueNow));
  });
  return useMemo(() => (text === null ? null : (JSON.parse(text) as DueTimes)), [text]);
}

/** Returns the funding time whose rate should already be settled, in epoch milliseconds. */
export function toFundingDue(due: DueTimes | null): number | null {
  return due === null ? null : toMillis(due.fundingRates.newest);
}
