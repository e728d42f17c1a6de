import type { Day, Instant } from '#contract/exchange/instant.ts';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import { toMillis } from '../../time/session.ts';
import { LEAST_DAYS, MINUTES_OF_DAY, MINUTES_OF_YEAR, WRONG_FACTOR } from '../../basis/basis.ts';
import type { HistoryFigure } from './history-params.ts';

/** What a session has of a line: a basis; none, nearer to expiry than it is scaled to a year; or why there is none. */
type HistoryCell = 'basis' | 'too near' | 'missing' | 'not listed';

/** A line over all sessions, in floats, because thousands of exact quotients would take longer than a frame. */
export interface DrawnLine {
  readonly cells: readonly HistoryCell[];
  readonly drawn: Readonly<Record<HistoryFigure, readonly (number | null)[]>>;
}

/** The settlements of a product by session, in floats. NaN where there is none. */
export interface DrawnLeg {
  readonly prices: Float64Array;
  /** In minutes since 1970. */
  readonly settledAt: Float64Array;
}

/** A month with what decides whether a session has it. */
export interface DrawnMonth extends DrawnLeg {
  readonly expiresAt: number;
  /** The indices of its first session, and of the one after its last but the final one. */
  readonly listed: readonly [from: number, to: number];
}

const MINUTE_MS = 60_000;
const LEAST_MINUTES = LEAST_DAYS * MINUTES_OF_DAY;
const MOST_APART = Number(WRONG_FACTOR);

export function toMinutes(at: Instant): number {
  return toMillis(at) / MINUTE_MS;
}

export function toDrawnLeg(points: ReadonlyMap<Day, PriceDataPoint>, sessions: readonly Day[]): DrawnLeg {
  const ofSessions = sessions.map((day) => points.get(day));
  return {
    prices: Float64Array.from(ofSessions, (point) => Number(point?.settlementPrice ?? NaN)),
    settledAt: Float64Array.from(ofSessions, (point) => (point === undefined ? NaN : toMinutes(point.time))),
  };
}

/** Draws the basis of a month by the rules of `toBasis`. */
export function drawMonth(month: DrawnMonth, perpetual: DrawnLeg): DrawnLine {
  return toLine(month.prices.length, (index) => {
    if (!isListed(month, index)) return 'not listed';
    const [price, base] = [month.prices[index] ?? NaN, perpetual.prices[index] ?? NaN];
    const [at, than] = [month.settledAt[index] ?? NaN, perpetual.settledAt[index] ?? NaN];
    const isWrong = !(Math.min(price, base) > 0) || Math.max(price, base) >= Math.min(price, base) * MOST_APART;
    if (isWrong || Math.floor(at) !== Math.floor(than)) return 'missing';
    const usd = price - base;
    const fraction = usd / base;
    const minutes = Math.round(month.expiresAt - at);
    return { usd, fraction, aYear: minutes < LEAST_MINUTES ? null : (fraction * MINUTES_OF_YEAR) / minutes };
  });
}

type MonthAndLine = { readonly own: DrawnMonth; readonly line: DrawnLine };

/** Draws a constant maturity between the months around it, by expiry, and never beyond them or across a gap. */
export function drawConstant(days: number, months: readonly MonthAndLine[], perpetual: DrawnLeg): DrawnLine {
  const target = days * MINUTES_OF_DAY;
  return toLine(perpetual.prices.length, (index) => {
    const listed = months.filter(({ own }) => isListed(own, index));
    const at = listed.map(({ own }) => own.settledAt[index] ?? NaN).find((minute) => !Number.isNaN(minute)) ?? NaN;
    const minutesOf = ({ own }: MonthAndLine): number => Math.round(own.expiresAt - at);
    const before = listed.findLast((month) => minutesOf(month) <= target);
    const after = listed.find((month) => minutesOf(month) >= target);
    if (before === undefined || after === undefined) return 'not listed';
    const [from, to] = [minutesOf(before), minutesOf(after)];
    const share = from === to ? 0 : (target - from) / (to - from);
    const [low, high] = [before.line.drawn.usd[index] ?? null, after.line.drawn.usd[index] ?? null];
    if (low === null || high === null) return 'missing';
    const usd = low + (high - low) * share;
    const fraction = usd / (perpetual.prices[index] ?? NaN);
    return { usd, fraction, aYear: (fraction * MINUTES_OF_YEAR) / target };
  });
}

function isListed({ listed: [from, to] }: DrawnMonth, index: number): boolean {
  return index >= from && index < to;
}

type Figures = Readonly<Record<HistoryFigure, number | null>>;

function toLine(count: number, figuresAt: (index: number) => Figures | 'missing' | 'not listed'): DrawnLine {
  const found = Array.from({ length: count }, (_, index) => figuresAt(index));
  const valuesOf = (figure: HistoryFigure) => found.map((one) => (typeof one === 'string' ? null : one[figure]));
  return {
    cells: found.map((one) => (typeof one === 'string' ? one : one.aYear === null ? 'too near' : 'basis')),
    drawn: { aYear: valuesOf('aYear'), usd: valuesOf('usd'), fraction: valuesOf('fraction') },
  };
}
