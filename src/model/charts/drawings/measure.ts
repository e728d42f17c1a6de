import type { Day } from '#contract/exchange/instant.ts';
import { LEAST_DAYS } from '../../basis/basis.ts';
import { countOf } from '../../format/count.ts';
import { countTickDigits, formatNumber, formatPercent } from '../../format/number.ts';
import type { Decimal } from '../../units/decimal.ts';
import { type Anchor, toUsd } from './drawing.ts';

/** What lies between two points, the later minus the earlier. */
export interface Measured {
  readonly days: number;
  /** Settled sessions after the first point, up to the second; null if the chart has not all of them. */
  readonly sessions: number | null;
  readonly ticks: number;
  readonly usd: Decimal;
  /** Change since the first point; null unless its price is above zero. */
  readonly fraction: Decimal | null;
  /** The change as a simple rate a year of 365 days; null for less than 3 days, where it would say nothing. */
  readonly yearly: Decimal | null;
}

const DAY_MS = 86_400_000;
const DAYS_OF_YEAR = 365;

interface Measuring {
  readonly tickSize: number;
  /** The settled sessions of the chart, ascending. */
  readonly sessions: readonly Day[];
}

export function measure([from, to]: readonly [Anchor, Anchor], { tickSize, sessions }: Measuring): Measured {
  const days = (Date.parse(to.date) - Date.parse(from.date)) / DAY_MS;
  const ticks = to.ticks - from.ticks;
  const usd = toUsd(ticks, tickSize);
  const fraction = from.ticks > 0 ? usd.div(toUsd(from.ticks, tickSize)) : null;
  const isCovered = (sessions[0] ?? '9') <= from.date && to.date <= (sessions.at(-1) ?? '');
  return {
    days,
    sessions: isCovered ? sessions.filter((day) => day > from.date && day <= to.date).length : null,
    ticks,
    usd,
    fraction,
    yearly: days < LEAST_DAYS ? null : (fraction?.times(DAYS_OF_YEAR).div(days) ?? null),
  };
}

/** Describes what was measured in two lines: of price and of time. */
export function describeMeasured(measured: Measured, tickSize: number, bars: number): readonly [string, string] {
  const { days, sessions, ticks, usd, fraction, yearly } = measured;
  const signed = { digits: countTickDigits(String(tickSize)), signed: true };
  const sign = ticks === 0 ? '' : ticks < 0 ? '−' : '+';
  const ofPrice = [
    `${formatNumber(usd, signed)} USD`,
    `${sign}${countOf(Math.abs(ticks), 'tick')}`,
    ...(fraction === null ? [] : [`${formatPercent(fraction, { digits: 2, signed: true })} %`]),
    ...(yearly === null ? [] : [`${formatPercent(yearly, { digits: 1, signed: true })} % a year`]),
  ];
  const ofTime = [
    countOf(bars, 'bar'),
    ...(sessions === null ? [] : [countOf(sessions, 'session')]),
    countOf(days, 'day'),
  ];
  return [ofPrice.join(' · '), ofTime.join(' · ')];
}
