import { useMemo } from 'react';
import type { ApiResponse, Source } from '#model/response.ts';
import type { DeskEstimates } from '#contract/desk/funding.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { countOf } from '#model/format/count.ts';
import { formatRate } from '#model/format/number.ts';
import { toPredictedPathCsv } from '#model/charts/funding/predicted-path-csv.ts';
import { type FundingSide, SIDE_LABELS } from '#model/funding/funding-rate.ts';
import { type PredictedRate, toPredictedPath } from '#model/funding/predicted-rates.ts';
import { ChartFrame } from '#page/kit/chart/chart-frame.tsx';
import { withProvenance } from '#model/charts/chart-data.ts';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import type { Fact } from '#model/format/provenance.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { formatInAllZones, formatInstant } from '#model/format/format-time.ts';
import { toOriginFacts, WEIGHT_SO_FAR } from '#model/tables/funding/rate-text.ts';
import { PERPETUAL_PARAMS } from '#model/tables/funding/perpetual-params.ts';
import { rateOf, toPredictedPathChartData } from '#model/charts/funding/predicted-path-chart.ts';
import styles from '../perpetual.module.css';

interface PredictedPathProps {
  readonly name: string;
  readonly response: ApiResponse<DeskEstimates>;
  /** End of the current interval in epoch milliseconds; null while it is unknown. */
  readonly endsAt: number | null;
  /** How often predicted rates are read. */
  readonly reads: string;
}

/** Shows how the predicted rate moved within the current interval, according to Perpdesk's readings. */
export function PredictedPath({ name, response, endsAt, reads }: PredictedPathProps) {
  const [side] = useUrlState(PERPETUAL_PARAMS.side);
  const [view, setView] = useUrlState(PERPETUAL_PARAMS.predictedView);
  const [zone] = useZone();
  const path = useMemo(
    () => (endsAt === null ? [] : toPredictedPath(response.value.estimates, endsAt)),
    [response, endsAt],
  );
  const bare = useMemo(
    () => toPredictedPathChartData(path, { side, formatTime: (at) => formatInstant(at, zone) }),
    [path, side, zone],
  );
  const chartData = useMemo(
    () => withProvenance(bare, { 'Predicted rate': (index) => explain(path[index], response) }),
    [bare, path, response],
  );
  const origin = usePictureOrigin(response);
  if (endsAt === null || path.length === 0) {
    return (
      <EmptyState title="No predicted rate recorded in this interval yet">
        <p>{reads}.</p>
      </EmptyState>
    );
  }
  const fileName = `predicted-rate-${name}-${new Date(endsAt).toISOString().slice(0, 13)}Z`;
  return (
    <div className={styles['path']}>
      <ChartFrame
        label={`${name} predicted rate in the interval to ${formatInstant(endsAt, zone)}, % per 8 h`}
        summary={summarise(path, side, chartData.timeText)}
        {...{ chartData, view, origin }}
        fileName={`predicted-rate-${name}`}
        subject={`${name} ${String(endsAt)}`}
        scale="linear"
        onView={setView}
        exports={{
          of: 'predicted rates',
          fileName,
          write: (form) => toPredictedPathCsv(path, { name, side, source: response }, form),
        }}
        remarks={
          <>
            <span>{SIDE_LABELS[side]}.</span>
            <span>
              {countOf(path.length, 'predicted rate')} recorded, at most one for each hundredth of the interval. Each
              point is one reading. {reads}, and more often while one does.
            </span>
            <span>{WEIGHT_SO_FAR}</span>
          </>
        }
      />
    </div>
  );
}

function summarise(path: readonly PredictedRate[], side: FundingSide, timeText: (index: number) => string): string {
  const [first, last] = [path[0], path.at(-1)];
  if (first === undefined || last === undefined) return '';
  return (
    `${countOf(path.length, 'predicted rate')} from ${timeText(0)} to ${timeText(path.length - 1)}, ` +
    `first ${formatRate(rateOf(first, side))} %, latest ${formatRate(rateOf(last, side))} % per 8 ` +
    `h. ${SIDE_LABELS[side]}.`
  );
}

function explain(predictedRate: PredictedRate | undefined, source: Source): readonly Fact[] {
  if (predictedRate === undefined) return [];
  return [
    { name: 'Raw value', value: wireText(predictedRate, 'estimate'), code: true },
    { name: 'Read', value: formatInAllZones(predictedRate.read_at) },
    { name: 'Funding time', value: formatInAllZones(predictedRate.interval_end) },
    { name: 'Field', value: 'estimates.estimate', code: true },
    ...toOriginFacts(source),
  ];
}
