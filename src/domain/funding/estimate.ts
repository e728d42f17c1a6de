import type { EstimatedFundingRateData } from '#contract/funding.ts';
import { SETTLING_SECONDS } from './funding-rate.ts';
import { toMillis } from '../time/session.ts';
import type { Sourced } from '../source.ts';

/** The predicted rate of an interval, as last read. */
export interface Estimate extends Sourced<EstimatedFundingRateData> {
  /** Why it is out of date, a sentence; null where it is current. */
  readonly notCurrent: string | null;
}

/** By base symbol. */
export type Estimates = ReadonlyMap<string, Estimate>;

/** The latest end of intervals that are over by the exchange's clock, in epoch milliseconds; null without one. */
export function findNewestEnded(estimates: Estimates, venueNow: number): number | null {
  const ends = [...estimates.values()].map(({ value }) => toMillis(value.interval_end)).filter((end) => end + SETTLING_SECONDS * 1_000 <= venueNow);
  return ends.length === 0 ? null : Math.max(...ends);
}

/** Marks predicted rates of intervals that are over: they say nothing about the current interval. */
export function markEnded(estimates: Estimates, newestEnd: number | null): Estimates {
  if (newestEnd === null) return estimates;
  return new Map([...estimates].map(([symbol, estimate]) => [symbol, hasEnded(estimate, newestEnd) ? { ...estimate, notCurrent: estimate.notCurrent ?? ENDED } : estimate]));
}

const ENDED = 'Its interval has ended, and the next predicted rate has not arrived.';

function hasEnded({ value }: Estimate, newestEnd: number): boolean {
  return toMillis(value.interval_end) <= newestEnd;
}

/** Which predicted rates are out of date, with the reason of the first: they usually share it. */
export function describeNotCurrent(estimates: Estimates): string | null {
  const outdated = [...estimates].flatMap(([symbol, { notCurrent }]) => (notCurrent === null ? [] : [{ symbol, notCurrent }]));
  const [first] = outdated;
  if (first === undefined) return null;
  return `${first.symbol}${outdated.length > 1 ? ` and ${String(outdated.length - 1)} more` : ''}: ${first.notCurrent}`;
}
