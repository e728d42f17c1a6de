import { toNumber } from '#contract/exchange/brand.ts';
import type { FundingRateData } from '#contract/exchange/funding.ts';
import { parseInstant, toEpochMillis, type Instant } from '#contract/exchange/instant.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { toDecimal, type Decimal } from '../units/decimal.ts';
import { examinePrints, findOverdueGap, type FundingFault, type TimedPrint } from './funding-faults.ts';
import { INTERVAL_MS, toWindowEnd } from './interval-times.ts';
import { createDecimalSums, createUnitSums, toAllUnits, type RateSums } from './rate-sums.ts';

/** The known past of a perpetual. */
interface FundingHistory {
  /** Settled rates in any order, all or those since some time. */
  readonly prints: readonly FundingRateData[];
  /** Start of the oldest known interval, or null. */
  readonly knownFrom: Instant | null;
  /** End of the newest known interval, or null. */
  readonly knownTo?: Instant | null;
  /** Whether the past is known back to the listing of the product. */
  readonly reachesLaunch: boolean;
  /** Whether newer rates could not be read. */
  readonly isBehind?: boolean;
  /** Only intervals that ended at or after this time were requested; null: all. */
  readonly requestedFrom?: Instant | null;
  /** The funding time whose rate, and every earlier one, should have settled by now, in epoch milliseconds; null: unknown. */
  readonly dueTo?: number | null;
}

/** A perpetual's settled rates, examined once, for any number of windows. */
export interface FundingSeries {
  /** Rates without a fault, oldest first. */
  readonly prints: readonly TimedPrint[];
  readonly faults: readonly FundingFault[];
  /** When the product was listed; Infinity before the first settled rate, null if unknown. */
  readonly listedFrom: number | null;
  /** Intervals that begin earlier have not been read; null if all have, or if unknown. */
  readonly knownFrom: number | null;
  /** From here on every interval should have a rate: the product was listed, and the rate requested. If both are unknown, from the first rate on. */
  readonly expectedFrom: number;
  /** End of the newest known interval, with or without a fault, also outside the requested range. */
  readonly settledTo: number | null;
  /** Up to here every interval should have a rate: it has been read, or is overdue. */
  readonly expectedTo: number | null;
  /** Where its windows end: at the newest funding time that has settled or should have. */
  readonly endsAt: number | null;
  /** Whether later intervals are unread rather than unsettled. */
  readonly isBehind: boolean;
  /** The rates in whole units; null if one of them has none. */
  readonly units: Float64Array | null;
  readonly sums: RateSums;
  /** Sign of each rate. */
  readonly signs: Int8Array;
  /** Cumulative count of positive rates, beginning with 0. */
  readonly positives: Int32Array;
  /** Cumulative count of rates at the interest rate, beginning with 0. */
  readonly baselines: Int32Array;
  /** Length of the streak of equal signs that ends with each rate, without missing intervals. */
  readonly streaks: Int32Array;
  /** The rates as floats, to draw, colour and sort by, never to sum. */
  readonly drawn: Float64Array;
  readonly rate: (index: number) => Decimal;
}

export function createFundingSeries(history: FundingHistory): FundingSeries {
  const { prints, isBehind = false } = history;
  const { sound, faults, from, to } = examinePrints(prints);
  const rows = sound.map(({ row }) => row);
  const units = toAllUnits(rows);
  const rate = (index: number): Decimal => toDecimal(rateTextOf(rows[index]));
  const settledTo = toMillisOrNull(history.knownTo) ?? to;
  const listedFrom = toListedFrom(history, from);
  const readFrom = toReadFrom(history);
  return {
    prints: sound,
    faults: [...faults, ...listOverdue(history, settledTo)],
    listedFrom,
    knownFrom: readFrom,
    expectedFrom:
      listedFrom === null && readFrom === null
        ? (from ?? Infinity)
        : Math.max(listedFrom ?? -Infinity, readFrom ?? -Infinity),
    settledTo,
    ...toEnds(history, settledTo),
    isBehind,
    units,
    sums: units === null ? createDecimalSums(rows.map((_, index) => rate(index))) : createUnitSums(units),
    ...countPrints(sound),
    drawn: Float64Array.from(rows, (row) => toNumber(row.funding_rate)),
    rate,
  };
}

function toEnds(
  { isBehind = false, dueTo = null }: FundingHistory,
  settledTo: number | null,
): Pick<FundingSeries, 'expectedTo' | 'endsAt'> {
  const endsAt = settledTo === null ? null : toWindowEnd(settledTo, dueTo);
  return { endsAt, expectedTo: isBehind ? settledTo : endsAt };
}

/** Newer rates that could not be read are not known to be missing. */
function listOverdue(
  { isBehind = false, dueTo = null }: FundingHistory,
  settledTo: number | null,
): readonly FundingFault[] {
  return isBehind || settledTo === null ? [] : findOverdueGap(settledTo, dueTo);
}

/** `from`: start of the oldest interval received. */
function toListedFrom(
  { prints, knownFrom, knownTo, reachesLaunch }: FundingHistory,
  from: number | null,
): number | null {
  if (!reachesLaunch) return null;
  const isNone = prints.length === 0 && toMillisOrNull(knownTo) === null;
  return toMillisOrNull(knownFrom) ?? from ?? (isNone ? Infinity : null);
}

/** Start of the rates that were read: of the known ones or of the requested ones, whichever is later. */
function toReadFrom({ knownFrom, reachesLaunch, requestedFrom }: FundingHistory): number | null {
  const [known, requested] = [reachesLaunch ? null : toMillisOrNull(knownFrom), toMillisOrNull(requestedFrom)];
  if (requested === null) return known;
  return Math.max(known ?? -Infinity, requested - INTERVAL_MS);
}

function rateTextOf(row: FundingRateData | undefined): string {
  if (row === undefined) throw new RangeError('no such settled rate');
  return wireText(row, 'funding_rate');
}

function toMillisOrNull(instant: Instant | null = null): number | null {
  const nanos = instant === null ? null : parseInstant(instant);
  return nanos === null ? null : toEpochMillis(nanos);
}

/** Cumulative counts, so that the count of a window is a difference. */
function countPrints(
  prints: readonly TimedPrint[],
): Pick<FundingSeries, 'signs' | 'positives' | 'baselines' | 'streaks'> {
  const signs = new Int8Array(prints.length);
  const [positives, baselines] = [new Int32Array(prints.length + 1), new Int32Array(prints.length + 1)];
  const streaks = new Int32Array(prints.length);
  let [positive, baseline, streak] = [0, 0, 0];
  for (const [at, { row, start }] of prints.entries()) {
    const sign = Math.sign(toNumber(row.funding_rate));
    const continues = at > 0 && sign === signs[at - 1] && prints[at - 1]?.end === start;
    signs[at] = sign;
    streaks[at] = streak = continues ? streak + 1 : 1;
    positives[at + 1] = positive += sign > 0 ? 1 : 0;
    baselines[at + 1] = baseline += isBaseline(row) ? 1 : 0;
  }
  return { signs, positives, baselines, streaks };
}

/** Whether a rate is exactly the interest rate: the premium stayed within the band that does not affect it. */
export function isBaseline(row: FundingRateData): boolean {
  const [rate, interest] = [wireText(row, 'funding_rate'), wireText(row, 'interest_rate')];
  return rate === interest || (Number(rate) === Number(interest) && toDecimal(rate).equals(interest));
}
