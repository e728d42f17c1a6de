import { formatCount } from '../../format/count.ts';
import { parseTime } from '../../time/written-time.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';
import type { Carry, CarryPosition, CarryPrice, CarrySide } from '../../funding/carry.ts';
import type { FundingSide } from '../../funding/funding-rate.ts';
import type { FundingWindow } from '../../funding/funding-window.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import type { PerpetualData } from './perpetual-data.ts';
import type { CsvColumn } from '#contract/desk/csv-columns.ts';
import { type Cell, type CsvForm, toCsvInForm } from '../../format/csv.ts';
import type { FundingRateData } from '#contract/exchange/market-data.ts';
import { asRate, asTicks, type Quantity, toQuantity } from '../../units/quantity.ts';
import { describeProvenance, type ProvenanceLine } from '../../format/provenance.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { formatNumber } from '../../format/number.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

interface CarryInput {
  readonly side: CarrySide;
  readonly price: CarryPrice;
  /** As typed; one contract if empty. */
  readonly contracts: string;
  /** Minutes in UTC; the last 30 days if empty. */
  readonly from: string;
  readonly to: string;
}

type CarryTerms =
  | { readonly position: CarryPosition; readonly window: FundingWindow; readonly problem: null }
  | { readonly position: null; readonly window: null; readonly problem: string };

/**
 * Returns the chosen side, or else that of the sign convention. The market’s own convention has no side, so it stands
 * for a long position, the usual one.
 */
export function toCarrySide(chosen: CarrySide | '', convention: FundingSide): CarrySide {
  if (chosen !== '') return chosen;
  return convention === 'short' ? 'short' : 'long';
}

export function toCarryTerms(data: PerpetualData, input: CarryInput): CarryTerms {
  if (data.series.endsAt === null) return refuse('No settled rate yet.');
  const window = toCarryWindow(data.series.endsAt, input);
  const contracts = toContracts(input.contracts);
  if (contracts === null) return refuse('Contracts must be a whole number above zero.');
  if (Number.isNaN(window.from) || Number.isNaN(window.to))
    return refuse('From and To must each be a date, or a date with a time, such as 2026-11-26 08:00.');
  if (window.from >= window.to) return refuse('From must be before To.');
  const { product, conversion } = data;
  const size = product === null ? undefined : wireText(product, 'contract_size');
  if (size === undefined || conversion === null)
    return refuse(
      'The exchange publishes no contract size or tick size for this product, so payments in USD are unavailable.',
    );
  const withheld = conversion.withheld ?? data.sizeWithheld;
  if (withheld !== null) return refuse(withheld);
  const position = {
    side: input.side,
    price: input.price,
    contracts,
    contractSize: toDecimal(size),
    increment: toDecimal(conversion.factor),
  };
  return { position, window, problem: null };
}

function refuse(problem: string): CarryTerms {
  return { position: null, window: null, problem };
}

function toContracts(text: string): Decimal | null {
  if (text === '') return toDecimal('1');
  return /^[1-9]\d{0,9}$/.test(text) ? toDecimal(text) : null;
}

type CarryTimes = Pick<CarryInput, 'from' | 'to'>;

/**
 * Returns the period of the fields. An empty To means the newest funding time that has settled or should have. The
 * result is NaN for an unreadable field.
 */
export function toCarryWindow(endsAt: number, { from, to }: CarryTimes): FundingWindow {
  const end = to === '' ? endsAt : toTime(to);
  return { from: from === '' ? end - DEFAULT_DAYS * DAY_MS : toTime(from), to: end };
}

function toTime(text: string): number {
  return Date.parse(parseTime(text) ?? '');
}

/**
 * Returns the time since when settled rates are needed, judged by the fields alone; null for the last 30 days and for
 * unreadable fields.
 */
export function toCarryStart(times: CarryTimes): number | null {
  const { from } = toCarryWindow(NaN, times);
  return Number.isNaN(from) ? null : from;
}

/** Returns the text of a time field: as typed if it is unreadable. */
export function toFieldText(time: number, typed: string): string {
  return Number.isNaN(time)
    ? typed
    : new Date(time).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
}

/** Returns the address’s form of a typed time: as typed if it is unreadable. */
export function toAddressText(typed: string): string {
  return parseTime(typed)?.slice(0, 'YYYY-MM-DDTHH:MM'.length) ?? typed;
}

export interface PaymentFigures {
  readonly rate: Quantity;
  readonly ticks: Quantity;
  readonly price: Quantity;
  readonly notional: Quantity;
  readonly payment: Quantity;
}

type Paid = Carry['payments'][number];
type CarryData = Pick<PerpetualData, 'source' | 'conversion'>;

export function toPaymentFigures(
  { source, conversion }: CarryData,
  position: CarryPosition,
  { print: { row }, notional, payment }: Paid,
): PaymentFigures {
  const at = { source, dataTime: row.interval_end, prefix: 'prints.' };
  const read = (used: typeof asTicks): Quantity => toQuantity(at, row, position.price, used);
  const [rate, price] = [toQuantity(at, row, 'funding_rate', asRate), read(conversion ?? asTicks)];
  const contracts = `${position.contracts.toFixed()} contracts × ${position.contractSize.toFixed()}`;
  return {
    rate,
    ticks: read(asTicks),
    price,
    notional: toUsd(notional, `${contracts} × price, exact`, [price]),
    payment: toUsd(
      payment,
      `${contracts} × price × rate, exact; ` +
        (position.side === 'long' ? 'a long position pays positive rates' : 'a short position receives positive rates'),
      [price, rate],
    ),
  };
}

export function toCarryFigures(
  data: CarryData,
  { payments, unpriced, sum, apr, meanNotional, coverage }: Carry,
  position: CarryPosition,
): Readonly<Record<'sum' | 'apr' | 'meanNotional' | 'coverage', Quantity>> {
  const last = payments.at(-1);
  const from = last === undefined ? [] : [toPaymentFigures(data, position, last).payment];
  const basis =
    `${formatCount(coverage.prints)} of ${formatCount(coverage.intervals)} settled ` +
    `rates${unpriced === 0 ? '' : `, ${String(unpriced)} of them without a price`}`;
  return {
    sum: toUsd(sum, `Exact sum of the payments of ${basis}`, from),
    meanNotional: toUsd(meanNotional, `Mean notional of ${basis}`, from),
    apr: {
      ...toUsd(apr, `Sum ÷ mean notional × 3 × 365 ÷ number of settled rates, of ${basis}`, from),
      unit: 'fraction',
    },
    coverage: toUsd(null, `${basis} have their funding time in the period`, from),
  };
}

/** Computes a payment that has not settled, at the price of the last funding time. */
export function toPredictedFigure(
  data: CarryData,
  position: CarryPosition,
  last: FundingRateData,
  payment: Decimal | null,
  how: string,
): Quantity {
  const price = toQuantity(
    { source: data.source, dataTime: last.interval_end, prefix: 'prints.' },
    last,
    position.price,
    data.conversion ?? asTicks,
  );
  return toUsd(payment, how, [price]);
}

function toUsd(value: Decimal | null, how: string, from: readonly Quantity[]): Quantity {
  return { value, unit: 'USD', withheld: null, provenance: { kind: 'derived', how, from } };
}

/** Adds the exact value, since the screen rounds it. */
export function explainExactly(quantity: Quantity): readonly ProvenanceLine[] {
  const { value } = quantity;
  return [
    ...(value === null ? [] : [{ name: 'Exact', value: value.toFixed(), code: true }]),
    ...describeProvenance(quantity, formatInAllZones),
  ];
}

export const PRICE_NAMES = { price_index: 'Index', mark_price: 'Mark' } as const;

/** Formats a payment with digits enough for small positions, which pay fractions of a cent. */
export function formatPayment(value: Decimal | null): string {
  return formatNumber(value, { digits: 4, signed: true });
}

const PROVENANCE: readonly CsvColumn[] = ['request', 'read_at'];
const HEADING: readonly CsvColumn[] = [
  'interval_start',
  'interval_end',
  'base_symbol',
  'position_side',
  'contracts',
  'contract_size',
  'tick_size_usd',
  'price_by',
  'price_ticks',
  'price_usd',
  'notional_usd',
  'settled_rate_per_8h_fraction',
  'payment_usd',
  ...PROVENANCE,
];

/** Writes every payment exactly. Negative means paid, positive means received. */
export function toCarryCsv(
  { perpetual, source }: PerpetualData,
  { payments }: Carry,
  position: CarryPosition,
  form: CsvForm = 'full',
): string {
  const { side, contracts, contractSize, increment, price } = position;
  const terms: readonly Cell[] = [
    perpetual.base_symbol,
    side,
    exact(contracts),
    exact(contractSize),
    exact(increment),
    price,
  ];
  return toCsvInForm(
    form,
    { heading: HEADING, provenance: PROVENANCE },
    payments.map(({ print: { row }, priceUsd, notional, rate, payment }) => [
      ...[row.interval_start, row.interval_end],
      ...terms,
      ...[{ digits: wireText(row, price) }, exact(priceUsd), exact(notional), exact(rate), exact(payment)],
      ...[`GET ${source.target}`, perpetual.read_at],
    ]),
  );
}

function exact(value: Decimal): Cell {
  return { digits: value.toFixed() };
}
