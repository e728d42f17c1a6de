import { parseTime } from '../../time/parse-time.ts';
import { toDecimal, type Decimal } from '../../units/decimal.ts';
import type { CarryPosition, CarryPrice, CarrySide } from '../../funding/carry.ts';
import type { FundingSide } from '../../funding/funding-side.ts';
import type { FundingWindow } from '../../funding/funding-window.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import type { PerpetualData } from './perpetual-data.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

interface CarryInput {
  readonly side: CarrySide;
  readonly price: CarryPrice;
  /** As typed; empty: one contract. */
  readonly contracts: string;
  /** Minutes in UTC; empty: the last 30 days. */
  readonly from: string;
  readonly to: string;
}

type CarryTerms =
  | { readonly position: CarryPosition; readonly window: FundingWindow; readonly problem: null }
  | { readonly position: null; readonly window: null; readonly problem: string };

/** The side of the sign convention, unless another was chosen; the market’s own is that of neither, and a long position is the usual one. */
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

/** The period of the fields; an empty To means the newest funding time that has settled or should have. NaN where a field is unreadable. */
export function toCarryWindow(endsAt: number, { from, to }: CarryTimes): FundingWindow {
  const end = to === '' ? endsAt : toTime(to);
  return { from: from === '' ? end - DEFAULT_DAYS * DAY_MS : toTime(from), to: end };
}

function toTime(text: string): number {
  return Date.parse(parseTime(text) ?? '');
}

/** From when settled rates are needed, by the fields alone; null for the last 30 days and for unreadable fields. */
export function toCarryStart(times: CarryTimes): number | null {
  const { from } = toCarryWindow(NaN, times);
  return Number.isNaN(from) ? null : from;
}

/** What a field of a time shows; as typed where that is unreadable. */
export function toFieldText(time: number, typed: string): string {
  return Number.isNaN(time)
    ? typed
    : new Date(time).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
}

/** What the address has for a typed time; as typed where that is unreadable. */
export function toAddressText(typed: string): string {
  return parseTime(typed)?.slice(0, 'YYYY-MM-DDTHH:MM'.length) ?? typed;
}
