import type { Day } from '#contract/day.ts';
import { toRangeStatistics } from '#domain/change.ts';
import { PERIOD_LABELS, type Bar, type BareDays } from '#domain/bars.ts';
import { toDecimal } from '#domain/decimal.ts';
import { countOf } from '#domain/format-count.ts';
import { formatDay } from '#domain/format-time.ts';
import { formatNumber, formatPercent } from '#domain/format-number.ts';
import { toReturns, toStandardDeviation } from '#domain/returns.ts';
import type { PriceData } from './price-data.ts';
import { priceDigits } from './to-price-picture.ts';

/** What the chart shows, in sentences: by sessions, of which weeks and months are made, so that it is the same of all three. */
export function summarisePrices({ bars, daily, bareDays, period }: PriceData): string {
  const range = toRangeStatistics(daily);
  if (range === null) return describeBareDays(bareDays);
  const { first, last, high, low, change } = range;
  const digits = priceDigits(bars);
  const usd = (text: string): string => formatNumber(toDecimal(text), { digits });
  const by = change.fraction === null ? '' : `, ${formatPercent(change.fraction, { digits: 2, signed: true })} %`;
  return [
    `${daily.length} sessions from ${formatDay(first.date)} to ${formatDay(last.lastDate)} (${PERIOD_LABELS[period]}).`,
    `Settlement from ${usd(first.settlement)} to ${usd(last.settlement)} USD${by}.`,
    `High ${usd(high.high)} on ${formatDay(high.date)}, low ${usd(low.low)} on ${formatDay(low.date)}.`,
    describeBareDays(bareDays),
  ].join(' ');
}

export function describeBareDays({ tradeless, unpriced }: BareDays): string {
  const without = `${toCount(tradeless)} without trades.`;
  return unpriced.length === 0 ? without : `${without} ${toCount(unpriced)} traded at prices that are not known.`;
}

function toCount({ length }: readonly unknown[]): string {
  return `${length === 0 ? 'No' : String(length)} ${length === 1 ? 'session' : 'sessions'}`;
}

/** How much settlements moved from one to the next; null where there are too few to tell, or where they are no measure of a move, as those of a spread around zero. */
export function describeVolatility({ daily, bareDays: { unpriced } }: Pick<PriceData, 'daily' | 'bareDays'>): string | null {
  if (daily.some(({ settlement }) => Number(settlement) <= 0)) return null;
  const moves = toReturns(daily);
  const ofOne = moves.filter((_, index) => !unpriced.some((day) => isBetween(day, daily[index], daily[index + 1])));
  const deviation = toStandardDeviation(ofOne.flatMap((value) => value ?? []));
  const without = moves.length === ofOne.length ? '' : `, without ${countOf(moves.length - ofOne.length, 'move')} over sessions at prices that are not known`;
  return deviation && `Daily moves: standard deviation ${formatPercent(deviation)} %${without}.`;
}

function isBetween(day: Day, before: Bar | undefined, after: Bar | undefined): boolean {
  return before !== undefined && after !== undefined && day > before.date && day < after.date;
}
