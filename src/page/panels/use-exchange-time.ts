import { useKnownVenueTime, useVenueOffset, useVenueTime } from '#page/client/react/use-desk-status.ts';
import { useNowSelector, useNowSnapshot } from '#page/kit/time/use-now.tsx';
import { useMemo } from 'react';
import type { Source } from '#model/response.ts';
import { byExchangeClock } from '#model/time/clocks.ts';
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

/** Returns a value derived from the exchange’s time; until that is known, from this browser’s. */
export function useExchangeNow<T extends string | number | null>(read: (epochMs: number) => T): T {
  const toVenueTime = useVenueTime();
  return useNowSelector((now) => read(toVenueTime(now)));
}

const DAY_MS = 86_400_000;

/**
 * Returns a value derived from the exchange’s time at which `key` was chosen. It is read again if that clock turns out
 * to be days away from this browser’s.
 */
export function useExchangeSnapshot<T>(key: string, read: (epochMs: number) => T): T {
  const toVenueTime = useVenueTime();
  const days = useNowSelector((now) => Math.round((toVenueTime(now) - now) / DAY_MS));
  return useNowSnapshot(`${key} ${String(days)}`, (now) => read(toVenueTime(now)));
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

/** Returns a response with the time of the exchange’s clock. */
export function useByExchangeClock<S extends Source>(response: S | undefined): S | undefined {
  const aheadMs = useVenueOffset();
  return useMemo(() => response && byExchangeClock(response, aheadMs), [response, aheadMs]);
}
