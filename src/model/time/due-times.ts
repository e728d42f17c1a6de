import { ENDPOINTS, type FundingDue, type SessionDue } from '#contract/exchange/endpoints.ts';
import type { Day } from '#contract/exchange/day.ts';
import { FUNDING_INTERVAL_HOURS } from '#contract/exchange/funding.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import type { DataTime } from '../source.ts';
import { sessionBefore, sessionOf, type SessionRules } from './session.ts';

/** The newest row that a response should have by now. */
export interface Due<T extends DataTime = DataTime> {
  readonly newest: T;
  /** Only an older row is overdue: this is earlier by the holidays that may lie between. */
  readonly tolerated: T;
}

/** By endpoint. */
type SessionsDue = Readonly<Record<'chartPrice' | 'chartVoi' | 'productDataAll', Due<Day>>>;

/** What is due at some time, by endpoint. */
export interface DueTimes {
  readonly fundingRates: Due<Instant>;
  readonly fundingEstimated: Due<Instant>;
  /** Of perpetuals, which trade every day. */
  readonly everyDay: SessionsDue;
  /** Of everything else. */
  readonly weekdays: SessionsDue;
}

/** What the rules of the endpoint table come to at a time of the exchange's clock. */
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

/** What is due of a product's sessions. */
export function sessionsDueOf({ type }: { readonly type?: string }, { everyDay, weekdays }: DueTimes): SessionsDue {
  return type === 'perpetual' ? everyDay : weekdays;
}

const INTERVAL_MS = FUNDING_INTERVAL_HOURS * 3_600_000;

/** Named by the end of its interval. */
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
