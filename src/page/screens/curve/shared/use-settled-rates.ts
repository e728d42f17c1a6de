import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { ReadRates } from '#model/curve/basis-over.ts';
import { toPerpetualSeries, withOldestRead } from '#model/funding/funding-series.ts';
import type { ApiResponse } from '#model/response.ts';
import { addDays, toDay } from '#model/time/session.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { toFundingDue, useDueTimes, useExchangeNow } from '#page/panels/use-exchange-time.ts';

/** A day more than the longest window, which ends at a funding time and not at midnight. */
const READ_DAYS = 91;

/**
 * Reads settled rates of a perpetual with one request: of the last 91 days, or from an earlier day on. Null: nothing is
 * read. Returns null until they have been read.
 */
export function useSettledRates(symbol: string | null, from: Day | null = null): ReadRates | null {
  const { queries } = useApi();
  const due = useDueTimes();
  const usual = useExchangeNow((now) => addDays(toDay(now), -READ_DAYS));
  const begin = from !== null && from < usual ? from : usual;
  const range = { base_symbol: symbol ?? '', begin_time: `${begin}T00:00:00Z` as Instant };
  const { data, error } = useQuery({ ...queries.desk.funding(range), enabled: symbol !== null });
  const dueTo = toFundingDue(due);
  const missing = error?.message ?? null;
  return useMemo(() => {
    if (data !== undefined) return toRates(data, dueTo);
    return missing === null ? null : { missingBecause: `Settled rates could not be read: ${missing}` };
  }, [data, dueTo, missing]);
}

function toRates(response: ApiResponse<DeskFunding>, dueTo: number | null): ReadRates {
  const [perpetual] = toPerpetualSeries(response, dueTo);
  return perpetual === undefined
    ? { missingBecause: 'The response has no settled rates.' }
    : { perpetual, source: withOldestRead(response, [perpetual]) };
}
