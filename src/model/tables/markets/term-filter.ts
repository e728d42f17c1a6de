import { isDay, type Day } from '#contract/exchange/day.ts';
import { countOf } from '../../format/count.ts';
import { formatDay } from '../../format/day.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import { isSoon, toExpiry } from '../../products/expiry.ts';

/** The filters of terms, as the address has them. */
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

/** What the filter lets through; null where it lets everything. */
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

/** `7d` is 7; null for anything else. */
function toDays(text: string): number | null {
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? [];
  return days === undefined ? null : Number(days);
}

/** Null where the text is no range with at least one end. */
export function toDayRange(text: string): DayRange | null {
  const [from = '', to = '', ...rest] = text.split('..');
  const ends = [from, to].filter((day) => day !== '');
  if (!text.includes('..') || rest.length > 0 || ends.length === 0 || !ends.every(isDay)) return null;
  return { from: isDay(from) ? from : null, to: isDay(to) ? to : null };
}

export function formatDayRange({ from, to }: DayRange): string {
  return from === null && to === null ? '' : `${from ?? ''}..${to ?? ''}`;
}

/** The filter in words; null where it lets everything through. */
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
