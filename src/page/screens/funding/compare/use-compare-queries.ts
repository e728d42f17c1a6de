import { useDeferredValue, useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { ApiResponse } from '#model/response.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useEstimates, type EstimatesResult } from '#page/client/react/use-estimates.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import type { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import type { Past } from '#model/tables/funding/realised.ts';
import type { ChosenRange } from '#model/time/date-range.ts';
import type { DueTimes } from '#model/time/overdue.ts';
import { type PanelQuery, usePanelQuery } from '#page/panels/panel-body.tsx';
import { useCurrentEstimates } from '#page/panels/use-estimate.ts';
import { useShallowStable } from '#page/kit/use-stable.ts';

/** Open interest changes once a day. */
const daily = { everySeconds: 900 };

/** What settled rates are read for: the range, the intervals in the heatmap, and the past that windows are compared with. */
export interface CompareChoice {
  readonly range: ChosenRange;
  readonly heat: ReturnType<typeof COMPARE_PARAMS.heat.read>;
  readonly past: Past;
}

export interface CompareQueries extends Pick<EstimatesResult, 'estimates' | 'missingBecause'> {
  /** The choice that the settled rates were read for: the last one, while those of another are being read. */
  readonly shown: CompareChoice;
  readonly funding: PanelQuery<ApiResponse<DeskFunding>>;
  readonly voi: PanelQuery<ApiResponse<readonly VOIDataPoint[]>>;
  /** For names; empty until they have been read. */
  readonly products: readonly DeskProduct[];
}

/**
 * Reads all settled rates since a given time in one request, open interest in another, then predicted rates one by one.
 */
export function useCompareQueries(choice: CompareChoice, begin_time: Instant, due: DueTimes | null) {
  const { queries } = useApi();
  const read = useQuery({ ...queries.desk.funding({ begin_time }), placeholderData: (previous) => previous });
  const [shown, show] = useState(choice);
  if (shown !== choice && !read.isPlaceholderData) show(choice);
  const funding = usePanelQuery(read);
  const voi = usePanelQuery(useQuery(queries.venue.chartVoi({}, daily)));
  const products = useQuery(queries.desk.products({})).data?.value.products ?? NO_PRODUCTS;
  const perpetuals = funding.data?.value.perpetuals ?? NONE;
  const symbols = useMemo(() => perpetuals.map(({ base_symbol }) => base_symbol), [perpetuals]);
  const { estimates, missingBecause } = useEstimates(symbols);
  const marked = useCurrentEstimates(estimates, due);
  // Predicted rates arrive one by one, and drawing them must not block input.
  const drawn: CompareQueries = useShallowStable({
    shown,
    funding,
    voi,
    products,
    estimates: marked,
    missingBecause,
  });
  return { queries: useDeferredValue(drawn), isReadingRange: shown.range !== choice.range && read.isPlaceholderData };
}

const NONE: DeskFunding['perpetuals'] = [];
const NO_PRODUCTS: readonly DeskProduct[] = [];
