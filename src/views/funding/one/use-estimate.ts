import { useMemo } from 'react';
import { toEstimates } from '#api/react-estimates.ts';
import { useVenueTime } from '#api/react-venue-time.ts';
import { findNewestOver, markOver, type Estimate } from '#domain/funding/estimate.ts';
import { useTeller } from '#ui/panel/teller.tsx';
import { useFromNow } from '#ui/time/use-now.tsx';
import type { OneAnswers } from './use-one-answers.ts';

/** What was read of the interval in progress, with why it is not the latest; null as long as nothing was. */
export function useEstimate(baseSymbol: string, { data, error }: OneAnswers['estimate']): Estimate | null {
  const teller = useTeller();
  const read = useMemo(() => toEstimates(baseSymbol, { data, error }, teller), [baseSymbol, data, error, teller]);
  const toVenueTime = useVenueTime();
  const newestOver = useFromNow((now) => findNewestOver(read, toVenueTime(now)));
  return useMemo(() => markOver(read, newestOver).get(baseSymbol) ?? null, [read, newestOver, baseSymbol]);
}
