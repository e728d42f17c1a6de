import { useMemo } from 'react';
import { useKnownVenueTime } from '#page/client/react/use-venue-time.ts';
import { type DueTimes, toDueTimes } from '#model/time/due-times.ts';
import { toMillis } from '#model/time/session.ts';
import { useNowSelector } from '#page/kit/time/use-now.tsx';

/** What is due by now; null until the exchange's time is known. The same object until something else is due. */
export function useDueTimes(): DueTimes | null {
  const toVenueTime = useKnownVenueTime();
  // A text, which can be compared from one second to the next.
  const text = useNowSelector((now) => {
    const venueNow = toVenueTime(now);
    return venueNow === null ? null : JSON.stringify(toDueTimes(venueNow));
  });
  return useMemo(() => (text === null ? null : (JSON.parse(text) as DueTimes)), [text]);
}

/** The funding time whose rate should have settled by now, in epoch milliseconds. */
export function toFundingDue(due: DueTimes | null): number | null {
  return due === null ? null : toMillis(due.fundingRates.newest);
}
