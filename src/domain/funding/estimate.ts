import type { EstimatedFundingRateData } from '#contract/funding.ts';
import { SETTLING_SECONDS } from '../funding-rate.ts';
import { toMillis } from '../session.ts';
import type { Sourced } from '../source.ts';

/** What the interval in progress may bring, as it was last read. */
export interface Estimate extends Sourced<EstimatedFundingRateData> {
  /** Why it is not the latest there is, in a sentence; null where it is. */
  readonly notCurrent: string | null;
}

/** By base symbol. */
export type Estimates = ReadonlyMap<string, Estimate>;

/** The newest end, in epoch milliseconds, of intervals that are over by the venue's clock; null where none is. */
export function findNewestOver(estimates: Estimates, venueNow: number): number | null {
  const over = [...estimates.values()].map(({ value }) => toMillis(value.interval_end)).filter((end) => end + SETTLING_SECONDS * 1_000 <= venueNow);
  return over.length === 0 ? null : Math.max(...over);
}

/** What was an estimate of an interval that is over is none of the one in progress. */
export function markOver(estimates: Estimates, newestOver: number | null): Estimates {
  if (newestOver === null) return estimates;
  return new Map([...estimates].map(([symbol, estimate]) => [symbol, isOver(estimate, newestOver) ? { ...estimate, notCurrent: estimate.notCurrent ?? OVER } : estimate]));
}

const OVER = 'Its interval is over, and that of the next has not come.';

function isOver({ value }: Estimate, newestOver: number): boolean {
  return toMillis(value.interval_end) <= newestOver;
}

/** Which are not current, and why: the first says it for all, since they fail together. */
export function describeNotCurrent(estimates: Estimates): string | null {
  const old = [...estimates].flatMap(([symbol, { notCurrent }]) => (notCurrent === null ? [] : [{ symbol, notCurrent }]));
  const [first] = old;
  if (first === undefined) return null;
  return `${first.symbol}${old.length > 1 ? ` and ${String(old.length - 1)} more` : ''}: ${first.notCurrent}`;
}
