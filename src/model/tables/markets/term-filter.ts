import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProducts } from '#contract/desk/desk.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import type { Sourced } from '../../response.ts';
import { findTrading } from '../../products/trading.ts';
import { isSoon, toExpiry } from '../../products/expiry.ts';
import type { TermContext } from '../../markets/contract-terms.ts';
import { type Day, isDay } from '#contract/exchange/instant.ts';
import { countOf } from '../../format/count.ts';
import { formatDay } from '../../format/format-time.ts';

/** The term filters as the address has them. */
export interface TermFilter {
  readonly expires: string;
  readonly right: string;
}

export interface DayRange {
  readonly from: Day | null;
  readonly to: Day | null;
}

export type RowTest = (row: Pick<MarketRow, 'product'>) => boolean;

const RIGHTS = new Map([
  ['call', 'calls'],
  ['put', 'puts'],
]);

/** Returns the test of the filter; null if everything passes. */
export function toTermTest({ expires, right }: TermFilter, now: number): RowTest | null {
  const tests = [toExpiryTest(expires, now), toRightTest(right)].filter((test) => test !== null);
  return tests.length === 0 ? null : (row) => tests.every((test) => test(row));
}

function toRightTest(right: string): RowTest | null {
  return RIGHTS.has(right) ? ({ product }) => product.option_type?.toLowerCase() === right : null;
}

function toExpiryTest(text: string, now: number): RowTest | null {
  const days = toDays(text);
  if (days !== null) return ({ product }) => isSoon(toExpiry(product, now), days);
  const range = toDayRange(text);
  if (range === null) return null;
  return ({ product }) => {
    const day = toExpiry(product, now)?.day;
    return day !== undefined && day >= (range.from ?? day) && day <= (range.to ?? day);
  };
}

/** Returns 7 for `7d`; null for anything else. */
function toDays(text: string): number | null {
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? [];
  return days === undefined ? null : Number(days);
}

/** Parses a range of days; null unless the text is one with at least one end. */
export function toDayRange(text: string): DayRange | null {
  const [from = '', to = '', ...rest] = text.split('..');
  const ends = [from, to].filter((day) => day !== '');
  if (!text.includes('..') || rest.length > 0 || ends.length === 0 || !ends.every(isDay)) return null;
  return { from: isDay(from) ? from : null, to: isDay(to) ? to : null };
}

export function formatDayRange({ from, to }: DayRange): string {
  return from === null && to === null ? '' : `${from ?? ''}..${to ?? ''}`;
}

/** Describes the filter in words; null if everything passes. */
export function describeTermFilter({ expires, right }: TermFilter): string | null {
  const words = [describeExpires(expires), RIGHTS.get(right) ?? null].filter((text) => text !== null);
  return words.length === 0 ? null : words.join(', ');
}

function describeExpires(text: string): string | null {
  const days = toDays(text);
  if (days !== null) return `expires within ${countOf(days, 'day')}`;
  const range = toDayRange(text);
  if (range === null) return null;
  const { from, to } = range;
  if (to === null) return from && `expires from ${formatDay(from)}`;
  if (from === null) return `expires by ${formatDay(to)}`;
  return from === to ? `expires on ${formatDay(from)}` : `expires ${formatDay(from)} to ${formatDay(to)}`;
}

/**
 * Adds the context in which contract terms are read, and which products trade now. The tick size of each product has
 * been checked with its prices.
 */
export function addTerms(
  rows: readonly MarketRow[],
  products: Sourced<DeskProducts>,
  now: number | null,
): readonly MarketRow[] {
  const byId = new Map(products.value.products.map((product) => [toNumber(product.product_id), product]));
  const checks = new Map(rows.map(({ productId, check }) => [productId, check]));
  const terms: TermContext = {
    products,
    now,
    find: (id) => byId.get(id),
    checkOf: ({ product_id: id }) => checks.get(toNumber(id)) ?? null,
  };
  return rows.map((row) => ({
    ...row,
    terms,
    expiresSoon: isSoon(toExpiry(row.product, now)),
    trading: now === null ? null : findTrading(row.product, now),
  }));
}
