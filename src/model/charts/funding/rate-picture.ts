import type { EstimatedFundingRateData } from '#contract/exchange/funding.ts';
import { asTicks } from '../../units/conversions.ts';
import { toDecimal, type Decimal } from '../../units/decimal.ts';
import { formatBasisPoints, formatNumber, formatPercent, formatRate, NO_VALUE } from '../../format/number.ts';
import { INTERVALS_PER_DAY, INTERVALS_PER_YEAR } from '../../funding/funding-rate.ts';
import { readFundingPrice } from '../../funding/funding-prices.ts';
import type { TimedPrint } from '../../funding/funding-faults.ts';
import { signOf, toSide, type FundingSide } from '../../funding/funding-side.ts';
import { RATE_FORM_LABELS, toRateForm, type RateForm } from '../../funding/rate-form.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import type { Pane, Picture, Readout } from '../picture.ts';
import { orNotAvailable } from '../../tables/funding/or-not-available.ts';
import { premiumOf } from '../../funding/premium.ts';
import { FORM_HEADERS } from '../../tables/funding/form-headers.ts';
import type { PerpetualData } from '../../tables/funding/perpetual-data.ts';
import type { ChartInterval } from './chart-intervals.ts';

interface PictureChoices {
  readonly form: RateForm;
  readonly side: FundingSide;
  readonly formatTime: (epochMillis: number) => string;
}

/** Settled rates as steps with the predicted rate as a separate mark; premium; mark and index. */
export function toRatePicture(
  data: PerpetualData,
  intervals: readonly ChartInterval[],
  estimate: EstimatedFundingRateData | null,
  choices: PictureChoices,
): Picture {
  const prices = toPrices(data);
  const next = estimate === null ? null : Date.parse(estimate.interval_end);
  const hasEstimate = next !== null && next > (intervals.at(-1)?.end ?? 0);
  const prints = [...intervals.map(({ print }) => print), ...(hasEstimate ? [null] : [])];
  const ends = [...intervals.map(({ end }) => end), ...(hasEstimate ? [next] : [])];
  const hatched = intervals.flatMap(({ print }, index) => (print === null ? [index] : []));
  const panes = [
    toRatePane(prints, hasEstimate ? estimate : null, choices, hatched),
    toPremiumPane(prints, hatched),
    toPricePane(prints, prices, hatched),
  ];
  return {
    times: ends.map((end) => Math.floor(end / 1_000)),
    timeName: 'Funding time',
    timeText: (index) => describe(index, { ends, prints, hasEstimate, choices }),
    panes,
    readouts: toReadouts(prints, hasEstimate ? estimate : null, prices, choices),
  };
}

interface TimeParts {
  readonly ends: readonly number[];
  readonly prints: readonly (TimedPrint | null)[];
  readonly hasEstimate: boolean;
  readonly choices: PictureChoices;
}

function describe(index: number, { ends, prints, hasEstimate, choices }: TimeParts): string {
  const text = choices.formatTime(ends[index] ?? 0);
  if ((prints[index] ?? null) !== null) return text;
  return hasEstimate && index === ends.length - 1 ? `${text}, in progress` : `${text}, no settled rate`;
}

/** Floats, only to draw; the readouts are exact. */
const DRAWN: Readonly<Record<RateForm, (rate: number) => number>> = {
  interval: (rate) => rate,
  day: (rate) => rate * INTERVALS_PER_DAY,
  apr: (rate) => rate * INTERVALS_PER_YEAR,
  apy: (rate) => (1 + rate) ** INTERVALS_PER_YEAR - 1,
};
/** An index of zero or a huge APY is not finite: not drawn. */
function asPoint(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** The interest rate alone. */
const DEFAULT_RATE = 0.0001;

function toRatePane(
  prints: readonly (TimedPrint | null)[],
  estimate: EstimatedFundingRateData | null,
  { form, side }: PictureChoices,
  hatched: readonly number[],
): Pane {
  const draw = (rate: number): number => DRAWN[form](signOf(side) * rate) + 0;
  const estimated = estimate && asPoint(draw(toNumber(estimate.funding_rate)));
  const { unit, digits } = RATE_FORM_LABELS[form];
  return {
    name: 'Rate',
    unit,
    share: 5,
    format: (value) => formatPercent(toDecimal(String(value)), { digits, signed: true }),
    series: [
      {
        kind: 'line',
        ink: 'accent',
        steps: true,
        values: prints.map((print) => (print === null ? null : asPoint(draw(toNumber(print.row.funding_rate))))),
      },
    ],
    levels: [
      { name: 'zero', value: 0, ink: 'faint' },
      { name: 'interest rate', value: draw(DEFAULT_RATE), ink: 'muted' },
    ],
    hatched,
    outlined: estimated === null ? [] : [{ index: prints.length - 1, value: estimated }],
  };
}

function toPremiumPane(prints: readonly (TimedPrint | null)[], hatched: readonly number[]): Pane {
  return {
    name: 'Premium',
    unit: 'bp',
    share: 2,
    format: (value) => formatBasisPoints(toDecimal(String(value)), { digits: 1, signed: true }),
    series: [
      {
        kind: 'columns',
        ink: 'muted',
        steps: true,
        values: prints.map((print) => (print === null ? null : toPremiumPoint(print))),
      },
    ],
    levels: [{ name: '', value: 0, ink: 'faint' }],
    hatched,
  };
}

function toPremiumPoint({ row }: TimedPrint): number | null {
  const [mark, index] = [toNumber(row.mark_price), toNumber(row.price_index)];
  return mark > 0 && index > 0 ? asPoint(mark / index - 1) : null;
}

interface Prices {
  readonly unit: 'USD' | 'ticks';
  /** Null: withheld. */
  readonly read: (print: TimedPrint, field: 'mark_price' | 'price_index') => Decimal | null;
}

/** In USD where the tick size holds, else in ticks. */
function toPrices({ conversion }: PerpetualData): Prices {
  const used = conversion?.withheld === null ? conversion : asTicks;
  return {
    unit: used === asTicks ? 'ticks' : 'USD',
    read: ({ row }, field) => readFundingPrice(row, field)?.times(used.factor) ?? null,
  };
}

function toPricePane(prints: readonly (TimedPrint | null)[], { unit, read }: Prices, hatched: readonly number[]): Pane {
  const line = (field: 'mark_price' | 'price_index') =>
    prints.map((print) => (print === null ? null : (read(print, field)?.toNumber() ?? null)));
  const middle = line('price_index').find((price) => price !== null) ?? 0;
  return {
    name: 'Mark and index',
    unit,
    share: 3,
    format: (value) => formatNumber(toDecimal(String(value)), { digits: digitsFor(middle) }),
    series: [
      { kind: 'line', ink: 'series-2', stroke: 'dotted', values: line('price_index') },
      { kind: 'line', ink: 'series-3', values: line('mark_price') },
    ],
    ...(hatched.length > 0 && { levels: [{ name: '', value: middle, ink: 'faint' }], hatched }),
  };
}

/** Six significant digits. */
function digitsFor(price: number): number {
  return Math.min(10, Math.max(0, 5 - Math.floor(Math.log10(Math.max(Math.abs(price), 1e-9)))));
}

function toReadouts(
  prints: readonly (TimedPrint | null)[],
  estimate: EstimatedFundingRateData | null,
  prices: Prices,
  { form, side }: PictureChoices,
): readonly Readout[] {
  const at = (index: number, read: (print: TimedPrint) => string): string => {
    const print = prints[index] ?? null;
    return print === null ? NO_VALUE : read(print);
  };
  const rateOf = ({ row }: TimedPrint): Decimal => toSide(toDecimal(wireText(row, 'funding_rate')), side);
  const { digits } = RATE_FORM_LABELS[form];
  const inForm = (print: TimedPrint): Decimal | null => toRateForm(rateOf(print), form, print.row);
  const price = (
    name: string,
    field: 'mark_price' | 'price_index',
    look: Pick<Readout, 'ink' | 'stroke'>,
  ): Readout => ({
    name,
    unit: prices.unit,
    ...look,
    text: (index) => at(index, (print) => orNotAvailable(prices.read(print, field), formatNumber)),
  });
  return [
    {
      name: 'Settled rate',
      unit: '% per 8 h',
      ink: 'accent',
      text: (index) => at(index, (print) => formatRate(rateOf(print))),
    },
    ...(form === 'interval'
      ? []
      : [
          {
            name: FORM_HEADERS[form].one,
            unit: FORM_HEADERS[form].unit,
            text: (index: number) => at(index, (print) => formatPercent(inForm(print), { digits, signed: true })),
          },
        ]),
    {
      name: 'Premium',
      unit: 'bp',
      ink: 'muted',
      text: (index) => at(index, (print) => orNotAvailable(premiumOf(print.row), formatBasisPoints)),
    },
    price('Index', 'price_index', { ink: 'series-2', stroke: 'dotted' }),
    price('Mark', 'mark_price', { ink: 'series-3' }),
    {
      name: 'Predicted rate',
      unit: '% per 8 h',
      text: (index) =>
        estimate !== null && index === prints.length - 1
          ? formatRate(toSide(toDecimal(wireText(estimate, 'funding_rate')), side))
          : NO_VALUE,
    },
  ];
}
