import type { Day } from '#contract/exchange/instant.ts';
import { trimBadTicks } from '../../price/bad-ticks.ts';
import { hasTradedPrices, isSettled, type Bar } from '../../price/bars.ts';
import type { PricedQuantity, RunningSession } from '../../price/running-session.ts';
import { toRangeStatistics, toReturns, toStandardDeviation, type RangeStatistics } from '../../price/change.ts';
import { PERIOD_LABELS } from '../../time/date-range.ts';
import { toDecimal } from '../../units/decimal.ts';
import { countOf, formatCount, nameSome } from '../../format/count.ts';
import { formatDay } from '../../format/format-time.ts';
import { formatNumber, formatPercent } from '../../format/number.ts';
import type { PriceData } from './price-data.ts';
import { priceDigits } from './price-chart.ts';

/** Describes the chart in sentences. It always counts sessions rather than bars, so that all periods read the same. */
export function summarisePrices(data: PriceData): string {
  const { bars, daily, period, slots, badTicks } = data;
  const range = toRangeStatistics(trimBadTicks(daily, badTicks));
  if (range === null) return describeDaysWithoutPrices(data);
  const { first, last, extremes, change } = range;
  const digits = priceDigits(bars);
  const usd = (text: string): string => formatNumber(toDecimal(text), { digits });
  const by = change.fraction === null ? '' : `, ${formatPercent(change.fraction, { digits: 2, signed: true })} %`;
  return [
    `${daily.length} sessions from ${formatDay(daily[0]?.date ?? first.date)} to ` +
      `${formatDay(daily.at(-1)?.lastDate ?? last.lastDate)}. ${PERIOD_LABELS[period]}.`,
    `Settlement from ${usd(first.settlement)} to ${usd(last.settlement)} USD${by}.`,
    ...describeExtremes(extremes, usd),
    ...(badTicks.length === 0 ? [] : [`${describeBadTicks(data)}.`]),
    ...describeRunning(slots.at(-1)?.running ?? null, digits),
    describeDaysWithoutPrices(data),
  ].join(' ');
}

function describeExtremes(extremes: RangeStatistics['extremes'], usd: (text: string) => string): readonly string[] {
  if (extremes === null) return [];
  const { high, low } = extremes;
  return [`High ${usd(high.high)} on ${formatDay(high.date)}, low ${usd(low.low)} on ${formatDay(low.date)}.`];
}

/** `2 suspected bad ticks: low 49.50 on 16 Apr 2026, close 53.00 on 4 May 2026` */
export function describeBadTicks({ badTicks, bars }: Pick<PriceData, 'badTicks' | 'bars'>): string {
  const digits = priceDigits(bars);
  const named = badTicks.map(
    ({ date, field, price }) => `${field} ${formatNumber(toDecimal(price), { digits })} on ${formatDay(date)}`,
  );
  return `${countOf(badTicks.length, 'suspected bad tick')}: ${nameSome(named)}`;
}

function describeRunning(running: RunningSession | null, digits: number): readonly string[] {
  if (running === null) return [];
  const usd = ({ value }: PricedQuantity): string => formatNumber(value, { digits });
  return [
    `Session of ${formatDay(running.date)}, in progress: last ${usd(running.last)}, low ` +
      `${usd(running.low)}, high ${usd(running.high)} USD.`,
  ];
}

export function describeDaysWithoutPrices({
  daily,
  daysWithoutPrices: { withoutTrades, unpriced },
}: Pick<PriceData, 'daily' | 'daysWithoutPrices'>): string {
  const unsettled = daily.filter((bar) => hasTradedPrices(bar) && !isSettled(bar));
  return [
    `${toCount(withoutTrades)} without trades.`,
    ...(unpriced.length === 0 ? [] : [`${toCount(unpriced)} with trades at unknown prices.`]),
    ...(unsettled.length === 0 ? [] : [`${toCount(unsettled)} not drawn: settlement n/a.`]),
  ].join(' ');
}

function toCount({ length }: readonly unknown[]): string {
  return `${length === 0 ? 'No' : formatCount(length)} ${length === 1 ? 'session' : 'sessions'}`;
}

/**
 * Describes the standard deviation of changes between settlements; null if there are too few, or if a settlement is not
 * above zero, as a spread’s may be.
 */
export function describeVolatility({
  daily,
  daysWithoutPrices: { unpriced },
}: Pick<PriceData, 'daily' | 'daysWithoutPrices'>): string | null {
  const settled = daily.filter(isSettled);
  const unsettled = [...unpriced, ...daily.filter((bar) => !isSettled(bar)).map(({ date }) => date)];
  if (settled.some(({ settlement }) => Number(settlement) <= 0)) return null;
  const returns = toReturns(settled);
  const known = returns.filter(
    (_, index) => !unsettled.some((day) => isBetween(day, settled[index], settled[index + 1])),
  );
  const deviation = toStandardDeviation(known.flatMap((value) => value ?? []));
  const excluded =
    returns.length === known.length
      ? ''
      : `, excluding ${countOf(returns.length - known.length, 'change')} across sessions with unknown settlements`;
  const [first, last] = [settled[0], settled.at(-1)];
  if (deviation === null || first === undefined || last === undefined) return null;
  return (
    `Volatility from ${formatDay(first.date)} to ${formatDay(last.date)}: ${formatPercent(deviation)} % per day, ` +
    `not annualised (settlement to settlement)${excluded}.`
  );
}

function isBetween(day: Day, before: Bar | undefined, after: Bar | undefined): boolean {
  return before !== undefined && after !== undefined && day > before.date && day < after.date;
}
