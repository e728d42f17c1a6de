import type { EstimatedFundingRateData } from '#contract/funding.ts';
import { asTicks, convert } from '#domain/conversions.ts';
import { toDecimal, type Decimal } from '#domain/decimal.ts';
import { formatBasisPoints, formatNumber, formatPercent, formatRate, NO_VALUE } from '#domain/format-number.ts';
import { INTERVALS_PER_DAY, INTERVALS_PER_YEAR } from '#domain/funding-rate.ts';
import type { TimedPrint } from '#domain/funding/find-faults.ts';
import { signOf, toSide, type FundingSide } from '#domain/funding/my-side.ts';
import { RATE_FORM_LOOKS, toRateForm, type RateForm } from '#domain/funding/rate-form.ts';
import { asDrawn, asWritten } from '#domain/wire-row.ts';
import type { Pane, Picture, Readout } from '#ui/chart/picture.ts';
import { premiumOf } from '../premium.ts';
import type { OneData } from './one-data.ts';
import type { Slot } from './to-slots.ts';

export interface PictureChoices {
  readonly form: RateForm;
  readonly side: FundingSide;
  readonly formatTime: (epochMillis: number) => string;
}

/** Prints as steps with the estimate as a mark of its own; the premium; mark and index. */
export function toRatePicture(data: OneData, slots: readonly Slot[], estimate: EstimatedFundingRateData | null, choices: PictureChoices): Picture {
  const prices = toPrices(data);
  const next = estimate === null ? null : Date.parse(estimate.interval_end);
  const hasEstimate = next !== null && next > (slots.at(-1)?.end ?? 0);
  const prints = [...slots.map(({ print }) => print), ...(hasEstimate ? [null] : [])];
  const ends = [...slots.map(({ end }) => end), ...(hasEstimate ? [next] : [])];
  const hatched = slots.flatMap(({ print }, index) => (print === null ? [index] : []));
  const panes = [
    toRatePane(prints, hasEstimate ? estimate : null, choices, hatched),
    toPremiumPane(prints, hatched),
    toPricePane(prints, prices, hatched),
  ];
  return {
    times: ends.map((end) => Math.floor(end / 1_000)),
    timeName: 'Interval end',
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
  return hasEstimate && index === ends.length - 1 ? `${text}, in progress` : `${text}, no print`;
}

/** Only to draw: floats. Exact figures are told by the readouts. */
const DRAWN: Readonly<Record<RateForm, (rate: number) => number>> = {
  interval: (rate) => rate,
  day: (rate) => rate * INTERVALS_PER_DAY,
  apr: (rate) => rate * INTERVALS_PER_YEAR,
  apy: (rate) => (1 + rate) ** INTERVALS_PER_YEAR - 1,
};
/** An index of zero, or a year of reinvesting what doubles each time, leads past all numbers: no place in a picture. */
function asPoint(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** What most prints are: the interest rate alone. */
const BASELINE = 0.0001;

function toRatePane(prints: readonly (TimedPrint | null)[], estimate: EstimatedFundingRateData | null, { form, side }: PictureChoices, hatched: readonly number[]): Pane {
  const draw = (rate: number): number => signOf(side) * DRAWN[form](rate) + 0;
  const estimated = estimate && asPoint(draw(asDrawn(estimate.funding_rate)));
  const { unit, digits } = RATE_FORM_LOOKS[form];
  return {
    name: 'Rate',
    unit,
    share: 5,
    format: (value) => formatPercent(toDecimal(String(value)), { digits, signed: true }),
    series: [{ kind: 'line', ink: 'accent', steps: true, values: prints.map((print) => (print === null ? null : asPoint(draw(asDrawn(print.row.funding_rate))))) }],
    levels: [
      { name: 'zero', value: 0, ink: 'faint' },
      { name: 'baseline', value: draw(BASELINE), ink: 'muted' },
    ],
    hatched,
    outlined: estimated === null ? [] : [{ index: prints.length - 1, value: estimated }],
  };
}

function toPremiumPane(prints: readonly (TimedPrint | null)[], hatched: readonly number[]): Pane {
  return {
    name: 'Mark over index',
    unit: 'bp',
    share: 2,
    format: (value) => formatBasisPoints(toDecimal(String(value)), { digits: 1, signed: true }),
    series: [{ kind: 'columns', ink: 'muted', steps: true, values: prints.map((print) => (print === null ? null : asPoint(asDrawn(print.row.mark_price) / asDrawn(print.row.price_index) - 1))) }],
    levels: [{ name: '', value: 0, ink: 'faint' }],
    hatched,
  };
}

interface Prices {
  readonly unit: 'USD' | 'ticks';
  readonly read: (print: TimedPrint, field: 'mark_price' | 'price_index') => Decimal;
}

/** In USD where the published increment holds, else in the ticks that came. */
function toPrices({ conversion }: OneData): Prices {
  const used = conversion?.withheld === null ? conversion : asTicks;
  return { unit: used === asTicks ? 'ticks' : 'USD', read: ({ row }, field) => convert(asWritten(row, field), used) };
}

function toPricePane(prints: readonly (TimedPrint | null)[], { unit, read }: Prices, hatched: readonly number[]): Pane {
  const line = (field: 'mark_price' | 'price_index') => prints.map((print) => (print === null ? null : read(print, field).toNumber()));
  const first = prints.find((print) => print !== null);
  const middle = first ? read(first, 'price_index').toNumber() : 0;
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

/** Six digits tell prices apart. */
function digitsFor(price: number): number {
  return Math.min(10, Math.max(0, 5 - Math.floor(Math.log10(Math.max(Math.abs(price), 1e-9)))));
}

function toReadouts(prints: readonly (TimedPrint | null)[], estimate: EstimatedFundingRateData | null, prices: Prices, { form, side }: PictureChoices): readonly Readout[] {
  const at = (index: number, tell: (print: TimedPrint) => string): string => {
    const print = prints[index] ?? null;
    return print === null ? NO_VALUE : tell(print);
  };
  const rateOf = ({ row }: TimedPrint): Decimal => toSide(toDecimal(asWritten(row, 'funding_rate')), side);
  const { unit, digits } = RATE_FORM_LOOKS[form];
  const inForm = ({ row }: TimedPrint): Decimal | null => {
    const rate = toRateForm(toDecimal(asWritten(row, 'funding_rate')), form, row);
    return rate && toSide(rate, side);
  };
  const price = (name: string, field: 'mark_price' | 'price_index', look: Pick<Readout, 'ink' | 'stroke'>): Readout => ({ name, unit: prices.unit, ...look, text: (index) => at(index, (print) => formatNumber(prices.read(print, field))) });
  return [
    { name: 'Settled', unit: '% per 8 h', ink: 'accent', text: (index) => at(index, (print) => formatRate(rateOf(print))) },
    ...(form === 'interval' ? [] : [{ name: 'As', unit, text: (index: number) => at(index, (print) => formatPercent(inForm(print), { digits, signed: true })) }]),
    { name: 'Mark over index', unit: 'bp', ink: 'muted', text: (index) => at(index, (print) => formatBasisPoints(premiumOf(print.row))) },
    price('Index', 'price_index', { ink: 'series-2', stroke: 'dotted' }),
    price('Mark', 'mark_price', { ink: 'series-3' }),
    { name: 'Estimate', unit: '% per 8 h', text: (index) => (estimate !== null && index === prints.length - 1 ? formatRate(toSide(toDecimal(asWritten(estimate, 'funding_rate')), side)) : NO_VALUE) },
  ];
}

