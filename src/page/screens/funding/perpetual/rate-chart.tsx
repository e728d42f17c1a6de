import { useMemo } from 'react';
import type { EstimatedFundingRateData } from '#contract/exchange/market-data.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { formatRate } from '#model/format/number.ts';
import { type FundingSide, RATE_FORM_LABELS, type RateForm, SIDE_LABELS, toSide } from '#model/funding/funding-rate.ts';
import type { Sourced } from '#model/response.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { ChartFrame } from '#page/kit/chart/chart-frame.tsx';
import { type ChartData, type ReadoutProvenance, withProvenance } from '#model/charts/chart-data.ts';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { formatInAllZones, formatInstant } from '#model/format/format-time.ts';
import { describeFigure } from '#model/format/provenance.ts';
import { type PerpetualData, toRangeStart } from '#model/tables/funding/perpetual-data.ts';
import { PERPETUAL_PARAMS } from '#model/tables/funding/perpetual-params.ts';
import { FORM_HEADERS, nameSide } from '#model/tables/funding/rate-text.ts';
import {
  type ChartInterval,
  toChartIntervals,
  toRateChartCsv,
  toRateChartData,
} from '#model/charts/funding/rate-chart.ts';
import { type PrintFigures, toEstimateFigures, toPrintFigures } from '#model/charts/funding/rate-figures.ts';

interface RateChartProps {
  readonly data: PerpetualData;
  readonly estimate: Sourced<EstimatedFundingRateData> | null;
}

export function RateChart({ data, estimate }: RateChartProps) {
  const [range] = useUrlState(PERPETUAL_PARAMS.range);
  const [form] = useUrlState(PERPETUAL_PARAMS.form);
  const [side] = useUrlState(PERPETUAL_PARAMS.side);
  const [view, setView] = useUrlState(PERPETUAL_PARAMS.view);
  const [zone] = useZone();
  const { series, perpetual } = data;
  const intervals = useMemo(() => toChartIntervals(series, toRangeStart(series, range)), [series, range]);
  const inProgress = estimate?.value ?? null;
  const bare = useMemo(
    () => toRateChartData(data, intervals, inProgress, { form, side, formatTime: (at) => formatInstant(at, zone) }),
    [data, intervals, inProgress, form, side, zone],
  );
  const chartData = useMemo(
    () => withProvenance(bare, createProvenance(data, intervals, estimate, { form, side })),
    [bare, data, intervals, estimate, form, side],
  );
  const missing = intervals.filter(({ print }) => print === null).length;
  const name = perpetual.base_symbol;
  return (
    <ChartFrame
      label={`${name} funding, ${RATE_FORM_LABELS[form].unit}`}
      summary={summarise(chartData, intervals, side)}
      chartData={chartData}
      subject={`${name} ${range}`}
      scale="linear"
      view={view}
      onView={setView}
      fileName={`funding-${nameSide(side)}${name}-${form}`}
      origin={usePictureOrigin(data.source)}
      exports={{
        of: 'rates',
        fileName: `funding-${nameSide(side)}${name}`,
        write: (csv) => toRateChartCsv({ data, intervals, side }, csv),
      }}
      remarks={
        <>
          <span>{SIDE_LABELS[side]}.</span>
          <span>Dashed lines: zero and the interest rate component, 0.01 % per 8 h.</span>
          <span>Each step spans one interval and is labelled with its funding time. ◇ = predicted rate.</span>
          <span>
            {missing === 0
              ? 'No intervals missing.'
              : `${countOf(missing, 'interval')} without a valid settled rate: hatched, not filled in.`}
          </span>
          <span>
            Mark and index at the funding time,{' '}
            {data.conversion?.withheld === null ? 'converted with the published tick size' : 'in ticks'}.
          </span>
        </>
      }
    />
  );
}

function summarise({ timeText }: ChartData, intervals: readonly ChartInterval[], side: FundingSide): string {
  const rates = intervals
    .flatMap(({ print }) => print ?? [])
    .map(({ row }) => toSide(toDecimal(wireText(row, 'funding_rate')), side));
  rates.sort((a, b) => a.comparedTo(b));
  const [lowest, highest] = [rates[0], rates.at(-1)];
  if (lowest === undefined || highest === undefined) return 'No settled rates in this range.';
  return (
    `${formatCount(intervals.length)} intervals from ${timeText(0)} to ` +
    `${timeText(intervals.length - 1)}, rates from ${formatRate(lowest)} % to ` +
    `${formatRate(highest)} % per 8 h. ${SIDE_LABELS[side]}.`
  );
}

interface Basis {
  readonly form: RateForm;
  readonly side: FundingSide;
}

function createProvenance(
  data: PerpetualData,
  intervals: readonly ChartInterval[],
  estimate: Sourced<EstimatedFundingRateData> | null,
  { form, side }: Basis,
): ReadoutProvenance {
  const provenance = (name: keyof PrintFigures) => (index: number) => {
    const row = intervals[index]?.print?.row;
    return describeFigure(row === undefined ? null : toPrintFigures(data, row, form, side)[name], formatInAllZones);
  };
  return {
    'Settled rate': provenance('settled'),
    [FORM_HEADERS[form].one]: provenance('inForm'),
    'Premium': provenance('premium'),
    'Index': provenance('index'),
    'Mark': provenance('mark'),
    'Predicted rate': (index) =>
      describeFigure(
        estimate === null || index < intervals.length ? null : toEstimateFigures(estimate, form, side).rate,
        formatInAllZones,
      ),
  };
}
