import { formatCount } from '../../format/count.ts';
import { isDay } from '#contract/exchange/instant.ts';
import { parseRangeEnd, parseTime } from '../../time/written-time.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';
import type { Carry, CarryPosition, CarryPrice, CarrySide, CarrySize, ContractPosition } from '../../funding/carry.ts';
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
  /** Contracts unless they cannot be valued, if empty. */
  readonly size: CarrySize | '';
  /** As typed; one contract if empty. */
  readonly contracts: string;
  /** In USD, as typed; 10,000 if empty. */
  readonly notional: string;
  /** Minutes in UTC, or whole days; the last 30 days if empty. */
  readonly from: string;
  readonly to: string;
}

type CarryTerms =
  | { readonly position: CarryPosition; readonly window: FundingWindow; readonly problem: null }
  | { readonly position: null; readonly window: null; readonly problem: string };

/** Returns the chosen unit of a position’s size, or else one in which its payments can be computed. */
export function toCarrySize(chosen: CarrySize | '', data: PerpetualData): CarrySize {
  if (chosen !== '') return chosen;
  return 'problem' in toContractSpec(data) ? 'usd' : 'contracts';
}

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
  if (Number.isNaN(window.from) || Number.isNaN(window.to))
    return refuse('Leave To empty for “now”, or type a date such as 2026-11-26 08:00; From is a date, too.');
  if (window.from >= window.to) return refuse('From must be before To.');
  const position = toPosition(data, input);
  return 'problem' in position ? refuse(position.problem) : { position, window, problem: null };
}

interface Problem {
  readonly problem: string;
}

function toPosition(data: PerpetualData, input: CarryInput): CarryPosition | Problem {
  const { side, price } = input;
  if (toCarrySize(input.size, data) === 'usd') {
    const notional = toNotional(input.notional);
    return notional === null ? { problem: WRONG_NOTIONAL } : { side, notional };
  }
  const contracts = toContracts(input.contracts);
  if (contracts === null) return { problem: 'Contracts must be a whole number above zero.' };
  const spec = toContractSpec(data);
  return 'problem' in spec
    ? { problem: `${spec.problem} Choose a notional in USD instead.` }
    : { side, price, contracts, ...spec };
}

/** Returns what converts contracts to USD, or why it cannot be used. */
function toContractSpec({
  product,
  conversion,
  sizeWithheld,
}: PerpetualData): Pick<ContractPosition, 'contractSize' | 'increment'> | Problem {
  const size = product === null ? undefined : wireText(product, 'contract_size');
  if (size === undefined || conversion === null)
    return { problem: 'The exchange publishes no contract size or tick size for this product.' };
  const withheld = conversion.withheld ?? sizeWithheld;
  if (withheld !== null) return { problem: withheld };
  return { contractSize: toDecimal(size), increment: toDecimal(conversion.factor) };
}

function refuse(problem: string): CarryTerms {
  return { position: null, window: null, problem };
}

function toContracts(text: string): Decimal | null {
  if (text === '') return toDecimal('1');
  return /^[1-9]\d{0,9}$/.test(text) ? toDecimal(text) : null;
}

const DEFAULT_NOTIONAL = '10000';

const MULTIPLES: Readonly<Record<string, number>> = { '': 1, 'k': 1_000, 'm': 1_000_000 };

/** Why a notional is refused. */
export const WRONG_NOTIONAL = 'The notional must be an amount above zero, in USD, such as 250,000, 250k or 1m.';

/**
 * Reads a notional in USD as typed, with `k` for thousands and `m` for millions; null unless it is above zero. Commas
 * are only read between thousands: a decimal comma would make it ten times too large.
 */
export function toNotional(text: string): Decimal | null {
  const typed = text.trim() === '' ? DEFAULT_NOTIONAL : text.trim();
  const found = /^(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(\.\d{1,5})? ?([km]?)$/i.exec(typed);
  if (found === null) return null;
  const [, whole = '', decimals = '', letter = ''] = found;
  const amount = toDecimal(whole.replaceAll(',', '') + decimals).times(MULTIPLES[letter.toLowerCase()] ?? 1);
  return amount.gt(0) && amount.decimalPlaces() <= 2 ? amount : null;
}

type CarryTimes = Pick<CarryInput, 'from' | 'to'>;

/**
 * Returns the period of the fields. No To, or the word *now*, means the newest funding time that has settled or should
 * have; a day as To is included as a whole. The result is NaN for an unreadable field.
 */
export function toCarryWindow(endsAt: number, { from, to }: CarryTimes): FundingWindow {
  const end =
    to === '' || to.toLowerCase() === 'now'
      ? endsAt
      : Date.parse((isDay(to) ? parseRangeEnd(to) : parseTime(to)) ?? '');
  return { from: from === '' ? end - DEFAULT_DAYS * DAY_MS : Date.parse(parseTime(from) ?? ''), to: end };
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
  /** Absent if the notional is given. */
  readonly ticks?: Quantity;
  readonly price?: Quantity;
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
  const rate = toQuantity(at, row, 'funding_rate', asRate);
  const size = describeSize(position);
  const toPaid = (from: readonly Quantity[]): Quantity =>
    toUsd(
      payment,
      `${size} × rate, exact; ` +
        (position.side === 'long' ? 'a long position pays positive rates' : 'a short position receives positive rates'),
      from,
    );
  if ('notional' in position)
    return { rate, notional: toUsd(notional, `${size}, as given`, []), payment: toPaid([rate]) };
  const read = (used: typeof asTicks): Quantity => toQuantity(at, row, position.price, used);
  const price = read(conversion ?? asTicks);
  return {
    ...{ rate, price, ticks: read(asTicks) },
    notional: toUsd(notional, `${size}, exact`, [price]),
    payment: toPaid([price, rate]),
  };
}

/** Describes what is multiplied by the rate. */
export function describeSize(position: CarryPosition): string {
  return 'notional' in position
    ? 'notional'
    : `${position.contracts.toFixed()} contracts × ${position.contractSize.toFixed()} × price`;
}

export function toCarryFigures(
  data: CarryData,
  { payments, unpriced, sum, share, apr, meanNotional, coverage }: Carry,
  position: CarryPosition,
): Readonly<Record<'sum' | 'share' | 'apr' | 'meanNotional' | 'coverage', Quantity>> {
  const last = payments.at(-1);
  const from = last === undefined ? [] : [toPaymentFigures(data, position, last).payment];
  const basis =
    `${formatCount(coverage.prints)} of ${formatCount(coverage.intervals)} settled ` +
    `rates${unpriced === 0 ? '' : `, ${String(unpriced)} of them without a price`}`;
  return {
    sum: toUsd(sum, `Exact sum of the payments of ${basis}`, from),
    meanNotional: toUsd(meanNotional, `Mean notional of ${basis}`, from),
    share: { ...toUsd(share, `Sum ÷ mean notional, of ${basis}`, from), unit: 'fraction' },
    apr: {
      ...toUsd(apr, `Sum ÷ mean notional × 3 × 365 ÷ number of settled rates, of ${basis}`, from),
      unit: 'fraction',
    },
    coverage: toUsd(null, `${basis} have their funding time in the period`, from),
  };
}

/** Computes a payment that has not settled, at the notional given or the price of the last funding time. */
export function toPredictedFigure(
  data: CarryData,
  position: CarryPosition,
  last: FundingRateData,
  payment: Decimal | null,
  how: string,
): Quantity {
  if ('notional' in position) return toUsd(payment, how, []);
  const at = { source: data.source, dataTime: last.interval_end, prefix: 'prints.' };
  return toUsd(payment, how, [toQuantity(at, last, position.price, data.conversion ?? asTicks)]);
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
  const terms: readonly Cell[] =
    'notional' in position
      ? [perpetual.base_symbol, position.side, null, null, null, null]
      : [
          ...[perpetual.base_symbol, position.side],
          ...[position.contracts, position.contractSize, position.increment].map(exact),
          position.price,
        ];
  return toCsvInForm(
    form,
    { heading: HEADING, provenance: PROVENANCE },
    payments.map(({ print: { row }, priceUsd, notional, rate, payment }) => [
      ...[row.interval_start, row.interval_end],
      ...terms,
      ...('notional' in position ? [null] : [{ digits: wireText(row, position.price) }]),
      ...[priceUsd && exact(priceUsd), exact(notional), exact(rate), exact(payment)],
      ...[`GET ${source.target}`, perpetual.read_at],
    ]),
  );
}

function exact(value: Decimal): Cell {
  return { digits: value.toFixed() };
}
