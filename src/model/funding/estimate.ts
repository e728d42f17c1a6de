import type { EstimatedFundingRateData } from '#contract/exchange/market-data.ts';
import type { Sourced } from '../response.ts';
import { type Due, findOverdue } from '../time/overdue.ts';
import { INTERVAL_MS } from './funding-rate.ts';

/** The predicted rate of an interval, as last read. */
export interface Estimate extends Sourced<EstimatedFundingRateData> {
  /** Why it is out of date, in a sentence; null if it is current. */
  readonly notCurrent: string | null;
}

/** Returns the age at a time of the browser's clock. */
export function toAgeMillis(
  { receivedAt, ageSeconds }: Pick<Estimate, 'receivedAt' | 'ageSeconds'>,
  now: number,
): number {
  return Math.max(0, now - receivedAt) + (ageSeconds ?? 0) * 1_000;
}

/**
 * A predicted rate stays current this long if no newer one can be read: a hundredth of an interval, in which it hardly
 * moves.
 */
const CURRENT_MS = INTERVAL_MS / 100;

/** Lists the perpetuals whose predicted rate is old because a newer one could not be read. */
export function listOutdated(estimates: Estimates, now: number): readonly string[] {
  return [...estimates].flatMap(([symbol, estimate]) =>
    estimate.notCurrent === null || toAgeMillis(estimate, now) < CURRENT_MS ? [] : [symbol],
  );
}

/** Marks only the given predicted rates as out of date. */
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

/** Marks predicted rates of past intervals: they say nothing about the current one. */
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

/** Lists the predicted rates that are out of date, with the reason of the first, which the others usually share. */
export function describeNotCurrent(estimates: Estimates): string | null {
  const outdated = [...estimates].flatMap(([symbol, { notCurrent }]) =>
    notCurrent === null ? [] : [{ symbol, notCurrent }],
  );
  const [first] = outdated;
  if (first === undefined) return null;
  return `${first.symbol}${outdated.length > 1 ? ` and ${String(outdated.length - 1)} more` : ''}: ${first.notCurrent}`;
}
