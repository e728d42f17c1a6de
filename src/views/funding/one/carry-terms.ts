import { toDecimal, type Decimal } from '#domain/decimal.ts';
import type { CarryPosition, CarryPrice, CarrySide } from '#domain/funding/carry.ts';
import type { FundingWindow } from '#domain/funding/funding-window.ts';
import { asWritten } from '#domain/wire-row.ts';
import type { OneData } from './one-data.ts';

const DAY_MS = 86_400_000;
const USUAL_DAYS = 30;

export interface CarryAsked {
  readonly side: CarrySide;
  readonly price: CarryPrice;
  /** As typed; nothing is one contract. */
  readonly contracts: string;
  /** Minutes in UTC; nothing for the last 30 days. */
  readonly from: string;
  readonly to: string;
}

export type CarryTerms =
  | { readonly position: CarryPosition; readonly window: FundingWindow; readonly problem: null }
  | { readonly position: null; readonly window: null; readonly problem: string };

/** What is to be computed, or in a sentence why nothing can be. */
export function toCarryTerms(data: OneData, asked: CarryAsked): CarryTerms {
  if (data.series.settledTo === null) return refuse('No settled interval is known of it.');
  const window = toCarryWindow(data.series.settledTo, asked);
  const contracts = toContracts(asked.contracts);
  if (contracts === null) return refuse('Contracts must be a whole number above zero.');
  if (Number.isNaN(window.from) || Number.isNaN(window.to)) return refuse('From and to must be dates with a time.');
  if (window.from >= window.to) return refuse('From must be before to.');
  const { product, conversion } = data;
  const size = product === null ? undefined : asWritten(product, 'contract_size');
  if (size === undefined || conversion === null) return refuse('The venue publishes no contract size and increment of this product, so a payment cannot be told in USD.');
  if (conversion.withheld !== null) return refuse(conversion.withheld);
  const position = { side: asked.side, price: asked.price, contracts, contractSize: toDecimal(size), increment: toDecimal(conversion.factor) };
  return { position, window, problem: null };
}

function refuse(problem: string): CarryTerms {
  return { position: null, window: null, problem };
}

function toContracts(text: string): Decimal | null {
  if (text === '') return toDecimal('1');
  return /^[1-9]\d{0,9}$/.test(text) ? toDecimal(text) : null;
}

type CarryTimes = Pick<CarryAsked, 'from' | 'to'>;

/** What the fields of time say, the newest print's end standing in for an empty one; NaN where they say nothing. */
export function toCarryWindow(settledTo: number, { from, to }: CarryTimes): FundingWindow {
  const end = to === '' ? settledTo : Date.parse(`${to}Z`);
  return { from: from === '' ? end - USUAL_DAYS * DAY_MS : Date.parse(`${from}Z`), to: end };
}

/** Since when the fields alone say that prints are needed; null for the last 30 days, and where they say nothing. */
export function toCarryStart(times: CarryTimes): number | null {
  const { from } = toCarryWindow(NaN, times);
  return Number.isNaN(from) ? null : from;
}

/** For a field of date and time; what was typed where that is none. */
export function toFieldText(moment: number, typed: string): string {
  return Number.isNaN(moment) ? typed : new Date(moment).toISOString().slice(0, 16);
}
