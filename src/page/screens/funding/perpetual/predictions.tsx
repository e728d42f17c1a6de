import { useMemo } from 'react';
import { type DeskEstimates, POINT_REACH, PREDICTED_RATE_POINTS, PREDICTED_RATE_STEP } from '#contract/desk/funding.ts';
import { countOf } from '#model/format/count.ts';
import { formatDuration, formatInstant } from '#model/format/format-time.ts';
import { toFaultNames } from '#model/funding/funding-faults.ts';
import { INTERVAL_MS, RATE_FORM_LABELS, type RateForm, SIDE_LABELS } from '#model/funding/funding-rate.ts';
import type { FundingSeries } from '#model/funding/funding-series.ts';
import {
  measurePredictedRates,
  type PredictedRateFigures,
  type Settlement,
  toSettlements,
} from '#model/funding/prediction-errors.ts';
import type { PredictedRate } from '#model/funding/predicted-rates.ts';
import type { ApiResponse } from '#model/response.ts';
import { type PerpetualData, toRangeStart } from '#model/tables/funding/perpetual-data.ts';
import { PERPETUAL_PARAMS } from '#model/tables/funding/perpetual-params.ts';
import {
  createPredictedRateColumns,
  explainFigure,
  formatError,
  formatRightSign,
  type PredictedRateSources,
  toPredictedRateCoverage,
  toPredictedRatesCsv,
  WHICH_PREDICTED_RATE,
} from '#model/tables/funding/predictions.ts';
import { nameSide } from '#model/tables/funding/rate-text.ts';
import type { Decimal } from '#model/units/decimal.ts';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Figure } from '#page/kit/figure.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { FigureGrid } from '#page/panels/figure-grid.tsx';
import styles from '../perpetual.module.css';

/** Says how often a predicted rate is read while no screen shows it, from the length of the newest interval. */
export function describeReads({ prints }: Pick<FundingSeries, 'prints'>): string {
  const last = prints.at(-1);
  const seconds = ((last === undefined ? INTERVAL_MS : last.end - last.start) * PREDICTED_RATE_STEP) / 1_000;
  return `Read every ${formatDuration(seconds)}, also while no screen shows it`;
}

interface PredictedRatesProps {
  readonly data: PerpetualData;
  readonly response: ApiResponse<DeskEstimates>;
}

/** Shows how good predicted rates were: their errors at several points of the interval, and each settled rate. */
export function PredictedRates({ data, response }: PredictedRatesProps) {
  const [form] = useUrlState(PERPETUAL_PARAMS.form);
  const [side] = useUrlState(PERPETUAL_PARAMS.side);
  const [range] = useUrlState(PERPETUAL_PARAMS.range);
  const [zone] = useZone();
  const { series, source, perpetual } = data;
  const { estimates } = response.value;
  const settlements = useMemo(
    () => toSettlements(series, estimates, { from: toRangeStart(series, range), to: series.endsAt ?? 0 }),
    [series, estimates, range],
  );
  const sources = useMemo((): PredictedRateSources => ({ predicted: response, settled: source }), [response, source]);
  const faultOf = useMemo(() => {
    const names = toFaultNames(series.faults);
    return ({ row }: Settlement): string => names.get(row) ?? '';
  }, [series]);
  const columns = useMemo(
    () =>
      createPredictedRateColumns({ form, side, sources, faultOf, timeText: (at: number) => formatInstant(at, zone) }),
    [form, side, sources, faultOf, zone],
  );
  const figures = useMemo(
    () => PREDICTED_RATE_POINTS.map((point) => measurePredictedRates(settlements, point, form, side)),
    [settlements, form, side],
  );
  const first = findFirstRead(estimates);
  const reads = describeReads(series);
  if (settlements.every(({ predicted }) => predicted.size === 0))
    return (
      <EmptyState
        title={
          first === null
            ? 'No predictions to compare in this range'
            : `No predictions to compare before ${formatInstant(first, zone)}`
        }
      >
        <p>
          {reads}. {describeNext(estimates, (at) => formatInstant(at, zone))}
        </p>
      </EmptyState>
    );
  const fileName = `predictions-${nameSide(side)}${perpetual.base_symbol}-${range}`;
  return (
    <>
      <Table
        caption="Prediction error"
        columns={createFigureColumns(form, sources)}
        rows={figures}
        keyOf={({ point }) => String(point)}
      />
      <p className={styles['remark']}>
        Error = predicted − settled rate: positive if the prediction was too high. {SIDE_LABELS[side]}.{' '}
        {WHICH_PREDICTED_RATE} {reads}. {describeStart(first, settlements, (at) => formatInstant(at, zone))}
        <ExportMenu
          of="predictions"
          fileName={fileName}
          write={(csv) =>
            toPredictedRatesCsv(settlements, { name: perpetual.base_symbol, side, sources, faultOf }, csv)
          }
        />
      </p>
      <FigureGrid key={form} label="Predictions and settled rates" columns={columns} rows={settlements} keyOf={keyOf} />
    </>
  );
}

function keyOf({ end }: Settlement): string {
  return String(end);
}

/**
 * Returns when the first of these predictions was read; null without any. Others, which are not near the points that
 * are compared, may have been read before.
 */
function findFirstRead(estimates: readonly PredictedRate[]): number | null {
  return estimates.length === 0 ? null : Math.min(...estimates.map(({ read_at }) => Date.parse(read_at)));
}

const POINTS = '25, 50, 75 or 95';

/** Says when the first comparison can be made. */
function describeNext(estimates: readonly PredictedRate[], timeText: (at: number) => string): string {
  const next = Math.max(...estimates.map(({ interval_end }) => Date.parse(interval_end)));
  return Number.isFinite(next)
    ? `The first comparison comes at ${timeText(next)}, when the current interval settles.`
    : `Comparisons need one that was read in the ${String(POINT_REACH)} % of an interval before ${POINTS} % of it.`;
}

/** Says since when there are predictions to compare, if that is later than the first settled rate of the range. */
function describeStart(
  first: number | null,
  settlements: readonly Settlement[],
  timeText: (at: number) => string,
): string {
  const before = settlements.filter(({ end }) => first !== null && end <= first).length;
  return first === null || before === 0
    ? ''
    : `No predictions to compare before ${timeText(first)}: ${countOf(before, 'settled rate')} of the range ` +
        `${before === 1 ? 'is' : 'are'} earlier. `;
}

function createFigureColumns(form: RateForm, sources: PredictedRateSources): readonly Column<PredictedRateFigures>[] {
  const { unit } = RATE_FORM_LABELS[form];
  const figure =
    (
      name: string,
      computed: string,
      read: (figures: PredictedRateFigures) => Decimal | null,
      format: (figures: PredictedRateFigures) => string,
    ): Column<PredictedRateFigures>['cell'] =>
    (figures) => (
      <Figure
        name={`${name} at ${String(figures.point)} %`}
        text={format(figures)}
        provenance={() => explainFigure(figures, computed, read(figures), sources)}
      />
    );
  return [
    { name: 'Elapsed', unit: '%', numeric: true, cell: ({ point }) => point },
    { name: 'Weight so far', unit: '%', numeric: true, cell: ({ point }) => Math.round(point ** 2 / 100) },
    {
      name: 'Bias',
      unit,
      numeric: true,
      cell: figure(
        'Bias',
        'Mean of predicted − settled rate',
        ({ bias }) => bias,
        ({ bias }) => formatError(bias, form, true),
      ),
    },
    {
      name: 'Mean absolute error',
      unit,
      numeric: true,
      cell: figure(
        'Mean absolute error',
        'Mean of |predicted − settled rate|',
        ({ meanAbsolute }) => meanAbsolute,
        ({ meanAbsolute }) => formatError(meanAbsolute, form, false),
      ),
    },
    {
      name: 'Right sign',
      unit: '%',
      numeric: true,
      cell: figure(
        'Right sign',
        'Share of predictions with the sign of the settled rate',
        ({ rightSign }) => rightSign,
        formatRightSign,
      ),
    },
    { name: 'Predicted', unit: 'settled rates', numeric: true, cell: toPredictedRateCoverage },
  ];
}
