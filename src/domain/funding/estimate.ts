import type { EstimatedFundingRateData } from '#contract/funding.ts';
import type { Sourced } from '../source.ts';
import type { Due } from '../time/due-times.ts';
import { findOverdue } from '../time/overdue.ts';

/** The predicted rate of an interval, as last read. */
export interface Estimate extends Sourced<EstimatedFundingRateData> {
  /** Why it is out of date, a sentence; null where it is current. */
  readonly notCurrent: string | null;
}

/** By base symbol. */
export type Estimates = ReadonlyMap<string, Estimate>;

/** Marks predicted rates of intervals that are over: they say nothing about the current interval. */
export function markEnded(estimates: Estimates, due: Due | null): Estimates {
  if (due === null) return estimates;
  return new Map([...estimates].map(([symbol, estimate]) => [symbol, findOverdue(estimate.value.interval_end, due) !== null ? { ...estimate, notCurrent: estimate.notCurrent ?? ENDED } : estimate]));
}

const ENDED = 'Its interval has ended, and the next predicted rate has not arrived.';

/** Which predicted rates are out of date, with the reason of the first: they usually share it. */
export function describeNotCurrent(estimates: Estimates): string | null {
  const outdated = [...estimates].flatMap(([symbol, { notCurrent }]) => (notCurrent === null ? [] : [{ symbol, notCurrent }]));
  const [first] = outdated;
  if (first === undefined) return null;
  return `${first.symbol}${outdated.length > 1 ? ` and ${String(outdated.length - 1)} more` : ''}: ${first.notCurrent}`;
}
