import type { EstimatedFundingRateData } from '#contract/exchange/funding.ts';
import type { Sourced } from '../source.ts';
import type { Due } from '../time/due-times.ts';
import { findOverdue } from '../time/overdue.ts';
import { INTERVAL_MS } from './interval-times.ts';

/** The predicted rate of an interval, as last read. */
export interface Estimate extends Sourced<EstimatedFundingRateData> {
  /** Why it is out of date, a sentence; null where it is current. */
  readonly notCurrent: string | null;
}

/** How old it is at a time of the browser's clock. */
export function toAgeMillis(
  { receivedAt, ageSeconds }: Pick<Estimate, 'receivedAt' | 'ageSeconds'>,
  now: number,
): number {
  return Math.max(0, now - receivedAt) + (ageSeconds ?? 0) * 1_000;
}

/** A hundredth of an interval, in which a predicted rate hardly moves: where no newer one can be read, it stays current for so long. */
const CURRENT_MS = INTERVAL_MS / 100;

/** The perpetuals whose newer predicted rate could not be read and whose last one is old by now. */
export function listOutdated(estimates: Estimates, now: number): readonly string[] {
  return [...estimates].flatMap(([symbol, estimate]) =>
    estimate.notCurrent === null || toAgeMillis(estimate, now) < CURRENT_MS ? [] : [symbol],
  );
}

/** Predicted rates of which only those are out of date. */
export function keepOutdated(estimates: Estimates, outdated: readonly string[]): Estimates {
  return new Map(
    [...estimates].map(([symbol, estimate]) => [
      symbol,
      outdated.includes(symbol) ? estimate : { ...estimate, notCurrent: null },
    ]),
  );
}

/** By base symbol. */
export type Estimates = ReadonlyMap<string, Estimate>;

/** Marks predicted rates of intervals that are over: they say nothing about the current interval. */
export function markEnded(estimates: Estimates, due: Due | null): Estimates {
  if (due === null) return estimates;
  return new Map(
    [...estimates].map(([symbol, estimate]) => [
      symbol,
      findOverdue(estimate.value.interval_end, due) !== null
        ? { ...estimate, notCurrent: estimate.notCurrent ?? ENDED }
        : estimate,
    ]),
  );
}

const ENDED = 'Its interval has ended, and the next predicted rate has not arrived.';

/** Which predicted rates are out of date, with the reason of the first: they usually share it. */
export function describeNotCurrent(estimates: Estimates): string | null {
  const outdated = [...estimates].flatMap(([symbol, { notCurrent }]) =>
    notCurrent === null ? [] : [{ symbol, notCurrent }],
  );
  const [first] = outdated;
  if (first === undefined) return null;
  return `${first.symbol}${outdated.length > 1 ? ` and ${String(outdated.length - 1)} more` : ''}: ${first.notCurrent}`;
}
