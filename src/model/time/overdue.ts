import { compareInstants, type Day, type Instant } from '#contract/exchange/instant.ts';
import { dateOf, sessionBefore, sessionOf, type SessionRules, toDay, toMillis } from './session.ts';
import { ENDPOINTS, type FundingDue, type SessionDue } from '#contract/exchange/endpoints.ts';
import { FUNDING_INTERVAL_HOURS } from '#contract/exchange/market-data.ts';
import type { DataTime } from '../response.ts';
import { compareCodes } from '../compare-codes.ts';
import { formatDay } from '../format/format-time.ts';

/** The newest row that a response should contain. */
export interface Due<T extends DataTime = DataTime> {
  readonly newest: T;
  /** Rows older than this are overdue: earlier than `newest` by the number of holidays that may lie between. */
  readonly tolerated: T;
}

/** By endpoint. */
type SessionsDue = Readonly<Record<'chartPrice' | 'chartVoi' | 'productDataAll', Due<Day>>>;

/** The rows due at a given time, by endpoint. */
export interface DueTimes {
  readonly fundingRates: Due<Instant>;
  readonly fundingEstimated: Due<Instant>;
  /** For perpetuals, which trade every day. */
  readonly everyDay: SessionsDue;
  /** For all other products. */
  readonly weekdays: SessionsDue;
}

/** Applies the rules of the endpoint table to a time of the exchange's clock. */
export function toDueTimes(venueNow: number): DueTimes {
  const { fundingRates, fundingEstimated, chartPrice, chartVoi, productDataAll } = ENDPOINTS;
  const ofSessions = (rules: SessionRules): SessionsDue => ({
    chartPrice: findDueSession(chartPrice.due, venueNow, rules),
    chartVoi: findDueSession(chartVoi.due, venueNow, rules),
    productDataAll: findDueSession(productDataAll.due, venueNow, rules),
  });
  return {
    fundingRates: findDueInterval(fundingRates.due, venueNow),
    fundingEstimated: findDueInterval(fundingEstimated.due, venueNow),
    everyDay: ofSessions({ everyDay: true }),
    weekdays: ofSessions({ everyDay: false }),
  };
}

/** Returns what is due for the sessions of a product. */
export function sessionsDueOf({ type }: { readonly type?: string }, { everyDay, weekdays }: DueTimes): SessionsDue {
  return type === 'perpetual' ? everyDay : weekdays;
}

const INTERVAL_MS = FUNDING_INTERVAL_HOURS * 3_600_000;

/** Finds the due interval. Settled and predicted rates are identified by the end of their interval. */
function findDueInterval({ intervalsLater, graceSeconds }: FundingDue, venueNow: number): Due<Instant> {
  const passed = Math.floor((venueNow - graceSeconds * 1_000) / INTERVAL_MS);
  const newest = new Date((passed + intervalsLater) * INTERVAL_MS).toISOString().replace('.000', '') as Instant;
  return { newest, tolerated: newest };
}

function findDueSession(
  { sessionsLater, graceSeconds, holidays }: SessionDue,
  venueNow: number,
  rules: SessionRules,
): Due<Day> {
  const goBack = (day: Day, sessions: number): Day =>
    sessions === 0 ? day : goBack(sessionBefore(day, rules), sessions - 1);
  const newest = goBack(sessionOf(venueNow - graceSeconds * 1_000, rules), 1 + sessionsLater);
  return { newest, tolerated: rules.everyDay ? newest : goBack(newest, holidays) };
}

/** A newest row that is older than it may be. */
export interface Overdue {
  /** Time of the newest row. */
  readonly newest: DataTime;
  /** Time of the row that is missing. */
  readonly due: DataTime;
}

/** Returns null if the newest row is recent enough, or if there is none. */
export function findOverdue(newest: DataTime | null, due: Due): Overdue | null {
  return newest !== null && isBefore(newest, due.tolerated) ? { newest, due: due.newest } : null;
}

function isBefore(a: DataTime, b: DataTime): boolean {
  return isDay(b) ? dateOf(a) < b : compareInstants(a as Instant, b) < 0;
}

function isDay(time: DataTime): time is Day {
  return time.length === 'YYYY-MM-DD'.length;
}

/** `The newest settlement is from 10 Nov 2026; that of 24 Nov 2026 is missing.` */
export function describeOverdue(noun: string, overdue: Overdue): string {
  return `The ${describeTimes(noun, overdue)}`;
}

function describeTimes(noun: string, { newest, due }: Overdue): string {
  const format = isDay(due) ? (time: DataTime) => formatDay(dateOf(time)) : formatTime;
  return `newest ${noun} is from ${format(newest)}; that of ${format(due)} is missing.`;
}

function formatTime(time: DataTime): string {
  // A time in another format than the interface’s may have an offset.
  const at = Date.parse(time);
  if (Number.isNaN(at)) return time;
  return `${formatDay(toDay(at))} ${new Date(at).toISOString().slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length)} UTC`;
}

/** An overdue figure, with the name of its product. */
export interface NamedOverdue {
  readonly name: string;
  readonly overdue: Overdue | null;
}

/**
 * Describes the overdue figures among several with the dates of the oldest, which they usually share. Returns null if
 * there are none.
 */
export function describeAllOverdue(noun: string, owners: string, all: readonly NamedOverdue[]): string | null {
  const late = all.flatMap(({ name, overdue }) => (overdue === null ? [] : [{ name, overdue }]));
  const [first] = late.toSorted((a, b) => compareCodes(a.overdue.newest, b.overdue.newest));
  if (first === undefined) return null;
  return `${nameOwners(first.name, late.length, all.length, owners)}: the ${describeTimes(noun, first.overdue)}`;
}

function nameOwners(first: string, late: number, all: number, owners: string): string {
  if (late === 1) return first;
  return late === all ? `All ${String(all)} ${owners}` : `${first} and ${String(late - 1)} more`;
}

/** An older last trade is pointed out next to its price. */
const RECENT_SECONDS = 300;
/** Allowed difference between the clocks. */
const AHEAD_SECONDS = 30;

/** Returns whether a trade is so old that the market may have moved away from its price. */
export function isOldTrade(ageSeconds: number): boolean {
  return ageSeconds > RECENT_SECONDS;
}

/** Returns the seconds since a trade by the exchange's clock; null if the trade is dated in the future. */
export function toTradeAge(at: Instant, venueNow: number): number | null {
  const seconds = (venueNow - toMillis(at)) / 1_000;
  return seconds < -AHEAD_SECONDS ? null : Math.max(0, seconds);
}
