import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import { POINT_REACH, PREDICTED_RATE_POINTS } from '#contract/desk/funding.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { countOf, formatCount } from '../../format/count.ts';
import { type Cell, type CsvForm, SOURCE_HEADING, toCsvInForm, toSourceCells } from '../../format/csv.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { formatPercent, NO_VALUE } from '../../format/number.ts';
import type { Fact } from '../../format/provenance.ts';
import { type FundingSide, RATE_FORM_LABELS, type RateForm, toRateForm, toSide } from '../../funding/funding-rate.ts';
import {
  type ComparedRates,
  compareRates,
  type PredictedRateFigures,
  type PredictedRatePoint,
  type Settlement,
} from '../../funding/prediction-errors.ts';
import type { Source } from '../../response.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';
import type { GridColumn } from '../grid.ts';
import { formatShare, SIGNS, toOriginFacts } from './rate-text.ts';

/** Where predicted and settled rates come from. */
export interface PredictedRateSources {
  readonly predicted: Source;
  readonly settled: Source;
}

interface PredictedRateInputs {
  readonly form: RateForm;
  readonly side: FundingSide;
  readonly sources: PredictedRateSources;
  /** The name of the fault of a settled rate, such as that it has been revised; empty if it has none. */
  readonly faultOf: (settlement: Settlement) => string;
}

export interface PredictedRateColumn extends GridColumn<Settlement> {
  readonly explain: (row: Settlement) => readonly Fact[];
}

/** Describes which prediction counts at a point. */
export const WHICH_PREDICTED_RATE =
  `Of each interval, the prediction that was read last counts, if it was read in the ${String(POINT_REACH)} % of the ` +
  'interval before.';

/** Returns the columns of the list of settled rates with their predictions. */
export function createPredictedRateColumns(
  inputs: PredictedRateInputs & { readonly timeText: (at: number) => string },
): readonly PredictedRateColumn[] {
  const { form, side, sources, faultOf, timeText } = inputs;
  const settled = (row: Settlement): Decimal | null => toRateForm(toSide(rateOf(row), side), form, row.row);
  return [
    {
      ...{ id: 'interval_end', title: 'Funding time', kind: 'text', width: 184, pinned: 'start' },
      text: ({ end }) => timeText(end),
      value: ({ row }) => row.interval_end,
      explain: ({ row }) => [
        { name: 'Time', value: formatInAllZones(row.interval_end) },
        ...toOriginFacts(sources.settled),
      ],
    },
    {
      ...rateColumn('settled', 'Settled rate', form, settled),
      explain: ({ row }) => [
        { name: 'Raw value', value: wireText(row, 'funding_rate'), code: true },
        { name: 'Field', value: 'prints.funding_rate', code: true },
        ...toOriginFacts(sources.settled),
      ],
    },
    ...PREDICTED_RATE_POINTS.flatMap((point) => createPointColumns(point, inputs)),
    {
      ...{ id: 'remark', title: 'Remark', kind: 'text', width: 104, text: faultOf, value: faultOf },
      tone: (row) => (faultOf(row) === '' ? 'quiet' : 'attention'),
      explain: (row) => [
        {
          name: 'Compared with',
          value: faultOf(row) === '' ? 'the settled rate' : 'the settled rate as last published',
        },
        ...toOriginFacts(sources.settled),
      ],
    },
  ];
}

function createPointColumns(
  point: PredictedRatePoint,
  { form, side, sources }: PredictedRateInputs,
): readonly PredictedRateColumn[] {
  const read = (of: keyof ComparedRates) => (row: Settlement) => compareRates(row, point, form, side)?.[of] ?? null;
  const explain =
    (computed: readonly Fact[]) =>
    (row: Settlement): readonly Fact[] => {
      const estimate = row.predicted.get(point);
      if (estimate === undefined) return [{ name: 'Missing', value: whyNoPredictedRate(point) }];
      return [
        ...computed,
        { name: 'Raw value', value: wireText(estimate, 'estimate'), code: true },
        {
          name: 'Read',
          value: `${formatInAllZones(estimate.read_at)}, at ${formatShare(estimate.share)} of the interval`,
        },
        { name: 'Field', value: 'estimates.estimate', code: true },
        ...toOriginFacts(sources.predicted),
      ];
    };
  const at = `at ${String(point)} %`;
  return [
    {
      ...rateColumn(`predicted-${String(point)}`, `Predicted ${at}`, form, read('predicted')),
      tooltip: WHICH_PREDICTED_RATE,
      explain: explain([]),
    },
    {
      ...rateColumn(`error-${String(point)}`, `Error ${at}`, form, read('error')),
      explain: explain([{ name: 'Computed', value: 'predicted − settled rate' }]),
    },
  ];
}

function rateColumn(id: string, title: string, form: RateForm, read: (row: Settlement) => Decimal | null) {
  const { unit, digits } = RATE_FORM_LABELS[form];
  return {
    id,
    title,
    unit,
    kind: 'number',
    width: 128,
    text: (row: Settlement) => formatPercent(read(row), { digits, signed: true }),
    value: (row: Settlement) => read(row)?.toNumber() ?? null,
  } as const;
}

function whyNoPredictedRate(point: PredictedRatePoint): string {
  return `No predicted rate was read in the ${String(POINT_REACH)} % of the interval before ${String(point)} %.`;
}

function rateOf({ row }: Settlement): Decimal {
  return toDecimal(wireText(row, 'funding_rate'));
}

/** Returns `21 of 24`: how many settled rates have a prediction. */
export function toPredictedRateCoverage({ predicted, settlements }: PredictedRateFigures): string {
  return `${formatCount(predicted)} of ${formatCount(settlements)}`;
}

/** Formats a mean error in the rate unit. */
export function formatError(value: Decimal | null, form: RateForm, signed: boolean): string {
  return formatPercent(value, { digits: RATE_FORM_LABELS[form].digits, signed });
}

/** Formats the share of predictions with the right sign. */
export function formatRightSign({ rightSign }: PredictedRateFigures): string {
  return rightSign === null ? NO_VALUE : formatPercent(rightSign, { digits: 1 });
}

/** Explains a mean over predictions. */
export function explainFigure(
  figures: PredictedRateFigures,
  computed: string,
  value: Decimal | null,
  sources: PredictedRateSources,
): readonly Fact[] {
  const { point, predicted } = figures;
  const coverage = {
    name: 'Coverage',
    value: `${toPredictedRateCoverage(figures)} settled rates have a prediction at ${String(point)} %`,
  };
  if (value === null) return [{ name: 'Missing', value: whyNoPredictedRate(point) }, coverage];
  return [
    {
      name: 'Computed',
      value: `${computed} at ${String(point)} % of the interval, of ${countOf(predicted, 'prediction')}`,
    },
    { name: 'Exact', value: `${value.times(100).toDecimalPlaces(12).toFixed()} %`, code: true },
    coverage,
    { name: 'Fields', value: 'estimates.estimate, prints.funding_rate', code: true },
    ...toOriginFacts(sources.predicted),
    ...toOriginFacts(sources.settled),
  ];
}

const POINT_HEADING = [
  'predicted_rate_per_8h_fraction',
  'predicted_rate_error_per_8h_fraction',
  'elapsed_fraction',
  'predicted_rate_read_at',
] as const;

/**
 * Writes all settled rates with their predictions, as fractions for one interval: 0.0001 is one basis point. The
 * columns do not depend on the rate unit that is shown.
 */
export function toPredictedRatesCsv(
  settlements: readonly Settlement[],
  {
    name,
    side,
    sources,
    faultOf,
  }: Pick<PredictedRateInputs, 'side' | 'sources' | 'faultOf'> & { readonly name: string },
  form: CsvForm,
): string {
  const provenance = [...SOURCE_HEADING, ...SOURCE_HEADING.map((column) => `settled_rate_${column}` as const)];
  const heading: readonly CsvColumn[] = [
    'interval_end',
    'base_symbol',
    'settled_rate_per_8h_fraction',
    ...PREDICTED_RATE_POINTS.flatMap((point) => POINT_HEADING.map((column) => `${column}_point_${point}` as const)),
    'position_side',
    'sign',
    'remark',
    ...provenance,
  ];
  const rows = settlements.map((each): readonly Cell[] => [
    each.row.interval_end,
    name,
    { digits: toSide(rateOf(each), side).toFixed() },
    ...PREDICTED_RATE_POINTS.flatMap((point): readonly Cell[] => {
      const [rates, estimate] = [compareRates(each, point, 'interval', side), each.predicted.get(point)];
      if (rates === null || estimate === undefined) return [null, null, null, null];
      return [
        { digits: rates.predicted.toFixed() },
        { digits: rates.error.toFixed() },
        estimate.share,
        estimate.read_at,
      ];
    }),
    side,
    SIGNS[side],
    faultOf(each),
    ...toSourceCells(sources.predicted),
    ...toSourceCells(sources.settled),
  ]);
  return toCsvInForm(form, { heading, provenance }, rows);
}
