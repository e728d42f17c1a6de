import { useMemo } from 'react';
import type { EstimatedFundingRateData } from '#contract/exchange/market-data.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { formatRate } from '#model/format/number.ts';
import { type FundingSide, RATE_FORM_LABELS, type RateForm, SIDE_LABELS, toSide } from '#model/funding/funding-rate.ts';
import type { Sourced } from '#model/response.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { type IndicatorSpec, RATE_INDICATORS, readIndicators } from '#model/charts/indicators/indicator-spec.ts';
import { type LegendSwitches, useLegendSwitches } from '#page/kit/chart/legend-switches.ts';
import { lazyCode } from '#page/kit/lazy.tsx';
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
  DRAWN,
  RATE_SERIES_NAMES,
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
  const { specs, problems, switches } = useChosenIndicators();
  const { isHidden } = switches;
  const bare = useMemo(
    () =>
      toRateChartData(data, intervals, inProgress, {
        ...{ form, side, isHidden },
        formatTime: (at) => formatInstant(at, zone),
      }),
    [data, intervals, inProgress, form, side, zone, isHidden],
  );
  const explained = useMemo(
    () => withProvenance(bare, createProvenance(data, intervals, estimate, { form, side })),
    [bare, data, intervals, estimate, form, side],
  );
  const { chartData, columns, notes } = useRateIndicators(explained, intervals, { specs, form, side, isHidden });
  const missing = intervals.filter(({ print }) => print === null).length;
  const name = perpetual.base_symbol;
  return (
    <ChartFrame
      label={`${name} funding, ${RATE_FORM_LABELS[form].unit}`}
      summary={summarise(chartData, intervals, side)}
      {...{ chartData, switches }}
      subject={`${name} ${range}`}
      scale="linear"
      view={view}
      onView={setView}
      fileName={`funding-${nameSide(side)}${name}-${form}`}
      origin={usePictureOrigin(data.source)}
      exports={{
        of: 'rates',
        fileName: `funding-${nameSide(side)}${name}`,
        write: (csv) => toRateChartCsv({ data, intervals, side }, csv, columns),
      }}
      remarks={
        <>
          {[...problems, ...notes].map((note) => (
            <span key={note} role="note">
              {note}
            </span>
          ))}
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

const useIndicatorCode = lazyCode(async () => await import('#model/charts/indicators/draw-indicators.ts'));

/** Reads the chosen indicators from the address, with the switches of the legend. */
function useChosenIndicators() {
  const [words] = useUrlState(PERPETUAL_PARAMS.indicators);
  const chosen = useMemo(() => readIndicators(words, RATE_INDICATORS), [words]);
  const names = useMemo(() => [...RATE_SERIES_NAMES, ...chosen.specs.map(({ name }) => name)], [chosen]);
  return { ...chosen, switches: useLegendSwitches(PERPETUAL_PARAMS.hidden, names) };
}

interface IndicatorOptions extends Basis, Pick<LegendSwitches, 'isHidden'> {
  readonly specs: readonly IndicatorSpec[];
}

const NO_NOTES: readonly string[] = [];

/** Adds the indicators of settled rates. Their code loads if there are any. */
function useRateIndicators(
  chartData: ChartData,
  intervals: readonly ChartInterval[],
  { specs, form, side, isHidden }: IndicatorOptions,
) {
  const isWanted = specs.length > 0;
  const { code } = useIndicatorCode(isWanted);
  return useMemo(() => {
    if (code === null || !isWanted) return { chartData, columns: undefined, notes: NO_NOTES };
    const computed = code.computeRateIndicators(intervals, specs, side);
    return {
      chartData: code.withRateIndicators(chartData, computed, { toDrawn: DRAWN[form], isHidden }),
      columns: code.toRateColumns(computed),
      notes: code.describeRateIndicators(computed),
    };
  }, [code, isWanted, chartData, intervals, specs, form, side, isHidden]);
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
