import { useDeferredValue, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Answer } from '#api/answer.ts';
import { useDoor } from '#api/react.tsx';
import { useEstimates, type EstimateReading } from '#api/react-estimates.ts';
import { useVenueTime } from '#api/react-venue-time.ts';
import type { DeskFunding } from '#contract/desk-funding.ts';
import type { Instant } from '#contract/instant.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { findNewestOver, markOver } from '#domain/funding/estimate.ts';
import type { PanelQuery } from '#ui/panel/panel-query.ts';
import { useTeller } from '#ui/panel/teller.tsx';
import { usePanelQuery } from '#ui/panel/use-panel-query.ts';
import { useFromNow } from '#ui/time/use-now.tsx';
import { useTrickle } from '#ui/time/use-trickle.tsx';
import { useSameParts } from '#ui/use-same-parts.ts';

/** Open interest is of the day. */
const daily = { everySeconds: 900 };

export interface CompareAnswers extends Pick<EstimateReading, 'estimates' | 'missingBecause'> {
  readonly funding: PanelQuery<Answer<DeskFunding>>;
  readonly voi: PanelQuery<Answer<readonly VOIDataPoint[]>>;
}

/** All settled prints since a time with one question, open interest with another, and then estimates one by one. */
export function useCompareAnswers(begin_time: Instant): CompareAnswers {
  const { queries } = useDoor();
  const funding = usePanelQuery(useQuery({ ...queries.desk.funding({ begin_time }), placeholderData: (previous) => previous }));
  const voi = usePanelQuery(useQuery(queries.venue.chartVoi({}, daily)));
  const perpetuals = funding.data?.value.perpetuals ?? NONE;
  const symbols = useMemo(() => perpetuals.map(({ base_symbol }) => base_symbol), [perpetuals]);
  const { estimates, missingBecause } = useEstimates(symbols, useTrickle(symbols.length), useTeller());
  const toVenueTime = useVenueTime();
  const newestOver = useFromNow((now) => findNewestOver(estimates, toVenueTime(now)));
  const marked = useMemo(() => markOver(estimates, newestOver), [estimates, newestOver]);
  // What comes is drawn in steps, and holds nothing else up.
  return useDeferredValue(useSameParts({ funding, voi, estimates: marked, missingBecause }));
}

const NONE: DeskFunding['perpetuals'] = [];
