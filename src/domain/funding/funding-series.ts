import { toNumber } from '#contract/brand.ts';
import type { FundingRateData } from '#contract/funding.ts';
import { parseInstant, toEpochMillis, type Instant } from '#contract/instant.ts';
import { wireText } from '#contract/json-text.ts';
import { toDecimal, type Decimal } from '../decimal.ts';
import { examinePrints, type FundingFault, type TimedPrint } from './find-faults.ts';
import { INTERVAL_MS } from './interval-times.ts';
import { createDecimalSums, createUnitSums, toAllUnits, type RateSums } from './rate-sums.ts';

/** What is known of a perpetual's past. */
interface FundingHistory {
  /** As they came, in any order; all of them, or those since some time. */
  readonly prints: readonly FundingRateData[];
  /** Where the oldest interval begins that is known of; null where that is not known. */
  readonly knownFrom: Instant | null;
  /** Where the newest ends; null where that is not known. */
  readonly knownTo?: Instant | null;
  /** Whether the past is known from the first of the product on: before it, it was not listed yet. */
  readonly reachesLaunch: boolean;
  /** Whether what is newer could not be read. */
  readonly isBehind?: boolean;
  /** Only intervals that ended then or later were asked for; without it, all. */
  readonly askedFrom?: Instant | null;
}

/** A perpetual's settled prints, examined once, for any number of windows. */
export interface FundingSeries {
  /** Those that count, oldest first. */
  readonly prints: readonly TimedPrint[];
  readonly faults: readonly FundingFault[];
  /** Until then the product was not listed, for ever as long as nothing was settled; null where that is not known. */
  readonly listedFrom: number | null;
  /** Intervals that begin before are not read yet; null where all are that there are, or where that is not known. */
  readonly knownFrom: number | null;
  /** From then on each interval should have a print: it was listed, and it was asked for. Without either being known, from the first print on. */
  readonly expectedFrom: number;
  /** End of the newest print of any kind that is known, also where those asked for are older or newer. */
  readonly settledTo: number | null;
  /** Whether intervals that end later are not read, rather than not settled. */
  readonly isBehind: boolean;
  /** Each rate in whole units, or null where one is none. */
  readonly units: Float64Array | null;
  readonly sums: RateSums;
  /** -1, 0 or 1 for each print. */
  readonly signs: Int8Array;
  /** How many prints up to each, it included, are above zero; with a zero before the first. */
  readonly positives: Int32Array;
  /** The same of those that are exactly the interest rate. */
  readonly baselines: Int32Array;
  /** How many with its sign stand in a row with each, up to it, no interval missing between. */
  readonly runs: Int32Array;
  /** The rate as a float, to draw, colour and order by: never to add up. */
  readonly drawn: Float64Array;
  readonly rate: (index: number) => Decimal;
}

export function createFundingSeries(history: FundingHistory): FundingSeries {
  const { prints: rows, isBehind = false } = history;
  const { sound, faults, from, to } = examinePrints(rows);
  const kept = sound.map(({ row }) => row);
  const units = toAllUnits(kept);
  const rate = (index: number): Decimal => toDecimal(rateTextOf(kept[index]));
  const settledTo = toMillisOrNull(history.knownTo) ?? to;
  const listedFrom = toListedFrom(history, from);
  const readFrom = toReadFrom(history);
  return {
    prints: sound,
    faults,
    listedFrom,
    knownFrom: readFrom,
    expectedFrom: listedFrom === null && readFrom === null ? (from ?? Infinity) : Math.max(listedFrom ?? -Infinity, readFrom ?? -Infinity),
    settledTo,
    isBehind,
    units,
    sums: units === null ? createDecimalSums(kept.map((_, index) => rate(index))) : createUnitSums(units),
    ...countPrints(sound),
    drawn: Float64Array.from(kept, (row) => toNumber(row.funding_rate)),
    rate,
  };
}

/** Where the first of all that is known begins; `from` is where the first of those that came does. */
function toListedFrom({ prints, knownFrom, knownTo, reachesLaunch }: FundingHistory, from: number | null): number | null {
  if (!reachesLaunch) return null;
  const isNone = prints.length === 0 && toMillisOrNull(knownTo) === null;
  return toMillisOrNull(knownFrom) ?? from ?? (isNone ? Infinity : null);
}

/** Where what was read begins: the later of where it is known from, and of the first interval asked for. */
function toReadFrom({ knownFrom, reachesLaunch, askedFrom }: FundingHistory): number | null {
  const [known, asked] = [reachesLaunch ? null : toMillisOrNull(knownFrom), toMillisOrNull(askedFrom)];
  if (asked === null) return known;
  return Math.max(known ?? -Infinity, asked - INTERVAL_MS);
}

function rateTextOf(row: FundingRateData | undefined): string {
  if (row === undefined) throw new RangeError('no such print');
  return wireText(row, 'funding_rate');
}

function toMillisOrNull(instant: Instant | null = null): number | null {
  const nanos = instant === null ? null : parseInstant(instant);
  return nanos === null ? null : toEpochMillis(nanos);
}

/** All that is counted is counted in one pass, so that a window is a difference of two places. */
function countPrints(prints: readonly TimedPrint[]): Pick<FundingSeries, 'signs' | 'positives' | 'baselines' | 'runs'> {
  const signs = new Int8Array(prints.length);
  const [positives, baselines] = [new Int32Array(prints.length + 1), new Int32Array(prints.length + 1)];
  const runs = new Int32Array(prints.length);
  let [positive, baseline, run] = [0, 0, 0];
  for (const [at, { row, start }] of prints.entries()) {
    const sign = Math.sign(toNumber(row.funding_rate));
    const joined = at > 0 && sign === signs[at - 1] && prints[at - 1]?.end === start;
    signs[at] = sign;
    runs[at] = run = joined ? run + 1 : 1;
    positives[at + 1] = positive += sign > 0 ? 1 : 0;
    baselines[at + 1] = baseline += isBaseline(row) ? 1 : 0;
  }
  return { signs, positives, baselines, runs };
}

/** Whether a print is exactly the interest rate: the premium was within the band that does not move it. */
export function isBaseline(row: FundingRateData): boolean {
  const [rate, interest] = [wireText(row, 'funding_rate'), wireText(row, 'interest_rate')];
  return rate === interest || (Number(rate) === Number(interest) && toDecimal(rate).equals(interest));
}
