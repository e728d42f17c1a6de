import { useMemo } from 'react';
import type { ApiResponse } from '#model/response.ts';
import type { DeskEstimates } from '#contract/desk/funding.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { countOf } from '#model/format/count.ts';
import { formatRate } from '#model/format/number.ts';
import { SOURCE_HEADING, toSourceCells } from '#model/format/source-cells.ts';
import { type FundingSide, SIDE_LABELS } from '#model/funding/funding-side.ts';
import { type StoredPrediction, toPredictedPath } from '#model/funding/predicted-path.ts';
import type { Source } from '#model/source.ts';
import { ChartFrame } from '#page/kit/chart/chart-frame.tsx';
import { withProvenance } from '#model/charts/with-provenance.ts';
import { type CsvForm, toCsvInForm } from '#model/format/csv.ts';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import { CsvButtons } from '#page/kit/csv-button.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import type { Fact } from '#model/format/fact.ts';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { formatInAllZones, formatInstant } from '#model/format/format-time.ts';
import { toOriginFacts } from '#model/tables/funding/origin-facts.ts';
import { WEIGHT_SO_FAR } from '#model/tables/funding/interval-text.ts';
import { PERPETUAL_PARAMS } from '#model/tables/funding/perpetual-params.ts';
import { rateOf, toPredictedPathPicture } from '#model/charts/funding/predicted-path-picture.ts';
import styles from '../perpetual.module.css';

interface PredictedPathProps {
  readonly name: string;
  readonly response: ApiResponse<DeskEstimates>;
  /** End of the current interval in epoch milliseconds; null while it is unknown. */
  readonly endsAt: number | null;
}

/** How the predicted rate moved within the current interval, as Perpdesk read it. */
export function PredictedPath({ name, response, endsAt }: PredictedPathProps) {
  const [side] = useUrlState(PERPETUAL_PARAMS.side);
  const [view, setView] = useUrlState(PERPETUAL_PARAMS.predictedView);
  const [zone] = useZone();
  const path = useMemo(
    () => (endsAt === null ? [] : toPredictedPath(response.value.estimates, endsAt)),
    [response, endsAt],
  );
  const bare = useMemo(
    () => toPredictedPathPicture(path, { side, formatTime: (at) => formatInstant(at, zone) }),
    [path, side, zone],
  );
  const picture = useMemo(
    () => withProvenance(bare, { 'Predicted rate': (index) => explain(path[index], response) }),
    [bare, path, response],
  );
  const origin = usePictureOrigin(response);
  if (endsAt === null || path.length === 0) {
    return (
      <EmptyState title="No predicted rate recorded in this interval yet">
        <p>Perpdesk reads and records predicted rates only while a screen shows this perpetual.</p>
      </EmptyState>
    );
  }
  const fileName = `predicted-rate-${name}-${new Date(endsAt).toISOString().slice(0, 13)}Z`;
  return (
    <div className={styles['path']}>
      <ChartFrame
        label={`${name} predicted rate in the interval to ${formatInstant(endsAt, zone)}, % per 8 h`}
        summary={summarise(path, side, picture.timeText)}
        {...{ picture, view, origin }}
        fileName={`predicted-rate-${name}`}
        subject={`${name} ${String(endsAt)}`}
        scale="linear"
        onView={setView}
        actions={
          <CsvButtons fileName={fileName} write={(form) => toPathCsv(path, { name, side, source: response }, form)} />
        }
        remarks={
          <>
            <span>{SIDE_LABELS[side]}.</span>
            <span>
              {countOf(path.length, 'predicted rate')} recorded, at most one for each hundredth of the interval. Each
              point is one reading.
            </span>
            <span>{WEIGHT_SO_FAR}</span>
          </>
        }
      />
    </div>
  );
}

function summarise(path: readonly StoredPrediction[], side: FundingSide, timeText: (index: number) => string): string {
  const [first, last] = [path[0], path.at(-1)];
  if (first === undefined || last === undefined) return '';
  return `${countOf(path.length, 'predicted rate')} from ${timeText(0)} to ${timeText(path.length - 1)}, first ${formatRate(rateOf(first, side))} %, latest ${formatRate(rateOf(last, side))} % per 8 h. ${SIDE_LABELS[side]}.`;
}

function explain(prediction: StoredPrediction | undefined, source: Source): readonly Fact[] {
  if (prediction === undefined) return [];
  return [
    { name: 'Raw value', value: wireText(prediction, 'estimate'), code: true },
    { name: 'Read', value: formatInAllZones(prediction.read_at) },
    { name: 'Funding time', value: formatInAllZones(prediction.interval_end) },
    { name: 'Field', value: 'estimates.estimate', code: true },
    ...toOriginFacts(source),
  ];
}

interface CsvParts {
  readonly name: string;
  readonly side: FundingSide;
  readonly source: Source;
}

function toPathCsv(path: readonly StoredPrediction[], { name, side, source }: CsvParts, form: CsvForm): string {
  const rows = path.map((each) => [
    each.read_at,
    name,
    each.interval_end,
    each.share,
    { digits: rateOf(each, side).toFixed() },
    side,
    ...toSourceCells(source),
  ]);
  const heading = ['read_at', 'base_symbol', 'interval_end', 'elapsed', 'predicted_rate', 'side', ...SOURCE_HEADING];
  return toCsvInForm(form, { heading, provenance: SOURCE_HEADING }, rows);
}
