import type { ApiResponse, Source } from '../response.ts';
import type { DeskFunding, RevisedRate } from '#contract/desk/funding.ts';
import {
  compareInstants,
  formatInstant,
  type Instant,
  parseInstant,
  toEpochMillis,
  toEpochNanos,
} from '#contract/exchange/instant.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { asRate, type Quantity, toQuantity } from '../units/quantity.ts';
import type { FundingRateData } from '#contract/exchange/market-data.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { type Decimal, toDecimal } from '../units/decimal.ts';
import type { Overdue } from '../time/overdue.ts';
import { examinePrints, findOverdueGap, type FundingFault, type TimedPrint } from './funding-faults.ts';
import { INTERVAL_MS, toWindowEnd } from './funding-rate.ts';

type PerpetualFunding = DeskFunding['perpetuals'][number];

/** A perpetual with its settled rates examined, once for each response. */
export interface PerpetualSeries {
  readonly symbol: string;
  readonly productId: number;
  readonly row: PerpetualFunding;
  readonly series: FundingSeries;
}

/**
 * Examines the settled rates. `dueTo` is the funding time that should have settled already, if known. While a new range
 * loads, the response may still be of another one, so intervals outside its `begin_time` are not missing.
 */
export function toPerpetualSeries(
  { value: { perpetuals }, target }: Pick<ApiResponse<DeskFunding>, 'value' | 'target'>,
  dueTo: number | null,
): readonly PerpetualSeries[] {
  const requestedFrom = new URL(target, 'http://desk').searchParams.get('begin_time') as Instant | null;
  return perpetuals.map((row) => ({
    symbol: row.base_symbol,
    productId: toNumber(row.product_id),
    row,
    series: createFundingSeries({
      ...{ prints: row.prints, knownFrom: row.known_from, knownTo: row.known_to, requestedFrom, dueTo },
      ...{ revised: row.revised, reachesLaunch: row.reaches_launch, isBehind: row.stale_because !== null },
    }),
  }));
}

/** Returns the settled rate at an index of the history, with its origin. */
export function toRateQuantity(
  { series, row: { read_at } }: PerpetualSeries,
  place: number,
  source: Source,
): Quantity | null {
  const row = series.prints[place]?.row;
  return row === undefined
    ? null
    : toQuantity(
        { source: withReadTime(source, read_at), dataTime: row.interval_end, prefix: 'prints.' },
        row,
        'funding_rate',
        asRate,
      );
}

/** Gives the source the time of the perpetual that was read longest ago. */
export function withOldestRead(source: Source, perpetuals: readonly PerpetualSeries[]): Source {
  const times = perpetuals.flatMap(({ row }) => row.read_at ?? []).sort(compareInstants);
  return withReadTime(source, times[0] ?? null);
}

/**
 * Adds the time of reading. Perpdesk responds from its database, so the response itself has none, but each perpetual
 * has. The response’s own age is that of its composition, not of the rates in it.
 */
export function withReadTime<From extends Source>(source: From, readAt: Instant | null): From {
  if (readAt === null || source.respondedAt !== null) return source;
  const sinceRead = Math.floor((source.receivedAt - Date.parse(readAt)) / 1_000);
  return { ...source, respondedAt: readAt, ageSeconds: Math.max(source.ageSeconds ?? 0, sinceRead) };
}

/** What is known about the funding of a perpetual. */
interface FundingHistory {
  /** Settled rates in any order: all of them, or those since some time. */
  readonly prints: readonly FundingRateData[];
  readonly revised?: readonly RevisedRate[] | undefined;
  /** Start of the oldest known interval, or null. */
  readonly knownFrom: Instant | null;
  /** End of the newest known interval, or null. */
  readonly knownTo?: Instant | null;
  /** Whether the history is known back to the listing of the product. */
  readonly reachesLaunch: boolean;
  /** Whether newer rates could not be read. */
  readonly isBehind?: boolean;
  /** Only intervals that ended at or after this time were requested; null: all. */
  readonly requestedFrom?: Instant | null;
  /** The newest funding time whose rate is due, in epoch milliseconds; null: unknown. */
  readonly dueTo?: number | null;
}

/** The settled rates of a perpetual, examined once for any number of windows. */
export interface FundingSeries {
  /** Rates without a fault, oldest first. */
  readonly prints: readonly TimedPrint[];
  readonly faults: readonly FundingFault[];
  /** When the product was listed; Infinity before the first settled rate; null if unknown. */
  readonly listedFrom: number | null;
  /** Earlier intervals have not been read; null if all have been read, or if that is unknown. */
  readonly knownFrom: number | null;
  /**
   * Every interval from here on should have a rate, because the product was listed and the rate requested. If both are
   * unknown, this is the start of the first rate.
   */
  readonly expectedFrom: number;
  /** End of the newest known interval, even if it has a fault or is outside the requested range. */
  readonly settledTo: number | null;
  /** Every interval up to here should have a rate: it has been read, or it is overdue. */
  readonly expectedTo: number | null;
  /** End of the windows: the newest funding time that has settled or is due. */
  readonly endsAt: number | null;
  /** Whether later intervals have not been read, rather than not settled. */
  readonly isBehind: boolean;
  /** The rates in whole units; null if one of them does not fit. */
  readonly units: Float64Array | null;
  readonly sums: RateSums;
  /** Sign of each rate. */
  readonly signs: Int8Array;
  /** Cumulative count of positive rates, starting at 0. */
  readonly positives: Int32Array;
  /** Cumulative count of rates equal to the interest rate, starting at 0. */
  readonly baselines: Int32Array;
  /** For each rate, the number of consecutive rates up to it with the same sign. A missing interval ends the streak. */
  readonly streaks: Int32Array;
  /** The rates as floats, for drawing, colours and sorting; never for sums. */
  readonly drawn: Float64Array;
  readonly rate: (index: number) => Decimal;
}

/**
 * Examines a history of settled rates and prepares it for windows, sums and charts.
 *
 * @internal Exported for its test.
 */
export function createFundingSeries(history: FundingHistory): FundingSeries {
  const { prints, revised, isBehind = false } = history;
  const { sound, faults, from, to } = examinePrints(prints, revised);
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

/** Adds a gap for overdue rates. If newer rates could not be read, it is not known whether they are missing. */
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

/** Returns the start of the rates that were read: the known or the requested start, whichever is later. */
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

/** Counts cumulatively, so that the count of a window is a difference. */
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

/**
 * Returns whether a rate equals the interest rate exactly, because the premium stayed within the band that does not
 * affect it.
 */
export function isBaseline(row: FundingRateData): boolean {
  const [rate, interest] = [wireText(row, 'funding_rate'), wireText(row, 'interest_rate')];
  return rate === interest || (Number(rate) === Number(interest) && toDecimal(rate).equals(interest));
}

/** Exact sums over any range of rates, in constant time. `to` is exclusive. */
export interface RateSums {
  readonly sum: (from: number, to: number) => Decimal;
  /** Standard deviation of a sample (n − 1), to fifteen digits. Null for fewer than two rates. */
  readonly standardDeviation: (from: number, to: number) => Decimal | null;
  /** The sum as a float, for charts only. */
  readonly drawn: (from: number, to: number) => number;
}

/** Converts rates to whole units, which floats sum exactly; null if a rate does not fit. */
function toAllUnits(rows: readonly FundingRateData[]): Float64Array | null {
  const all = new Float64Array(rows.length);
  for (const [at, row] of rows.entries()) {
    const units = toRateUnits(wireText(row, 'funding_rate'));
    if (units === null) return null;
    all[at] = units;
  }
  return all;
}

const ZERO = toDecimal('0');
const HALF = 2 ** 18;

/** Sums whole units. Squares are summed in three parts that floats hold exactly. */
export function createUnitSums(units: Float64Array): RateSums {
  const size = units.length + 1;
  const [sums, high, middle, low] = [
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(size),
  ];
  let [sum, highSum, middleSum, lowSum] = [0, 0, 0, 0];
  for (let at = 0; at < units.length; at += 1) {
    const value = units[at] ?? 0;
    const upper = Math.floor(value / HALF);
    const lower = value - upper * HALF;
    sums[at + 1] = sum += value;
    high[at + 1] = highSum += upper * upper;
    middle[at + 1] = middleSum += upper * lower;
    low[at + 1] = lowSum += lower * lower;
  }
  const between = (parts: Float64Array, from: number, to: number): number => (parts[to] ?? 0) - (parts[from] ?? 0);
  return {
    sum: (from, to) => fromRateUnits(between(sums, from, to)),
    drawn: (from, to) => between(sums, from, to) / 1e12,
    standardDeviation: (from, to) => {
      const count = to - from;
      if (count < 2) return null;
      const part = (parts: Float64Array): bigint => BigInt(between(parts, from, to));
      const squares = (part(high) << 36n) + (part(middle) << 19n) + part(low);
      // Computed exactly, because the two terms are nearly equal if rates hardly vary. Only the root is rounded.
      const difference = BigInt(count) * squares - part(sums) ** 2n;
      return fromRateUnits(Math.sqrt(Number(difference) / (count * (count - 1))));
    },
  };
}

/** Sums rates that whole units cannot hold. */
export function createDecimalSums(rates: readonly Decimal[]): RateSums {
  const [sums, squares] = [[ZERO], [ZERO]];
  for (const [at, rate] of rates.entries()) {
    sums.push((sums[at] ?? ZERO).plus(rate));
    squares.push((squares[at] ?? ZERO).plus(rate.times(rate)));
  }
  const between = (all: readonly Decimal[], from: number, to: number): Decimal =>
    (all[to] ?? ZERO).minus(all[from] ?? ZERO);
  return {
    sum: (from, to) => between(sums, from, to),
    standardDeviation: (from, to) => {
      const count = to - from;
      return count < 2
        ? null
        : between(squares, from, to)
            .minus(between(sums, from, to).pow(2).div(count))
            .div(count - 1)
            .sqrt();
    },
    drawn: (from, to) => between(sums, from, to).toNumber(),
  };
}

/** Rates are counted in units of 1e-12. */
const UNITS = 1e12;
/**
 * The square of this fits three integers that can be summed a hundred thousand times, which is a century of funding.
 */
const LARGEST = 2 ** 36;
/** A sign or point plus few enough digits for floats to distinguish any two such texts. */
const LONGEST = 17;

/** Converts a rate to whole units of 1e-12; null if it is not a multiple of one, or too large to be squared exactly. */
function toRateUnits(text: string): number | null {
  if (text.length > LONGEST) return null;
  const value = Number(text);
  const units = Math.round(value * UNITS);
  return units / UNITS === value && Math.abs(units) < LARGEST ? units + 0 : null;
}

function fromRateUnits(units: number): Decimal {
  return toDecimal(`${String(units)}e-12`);
}

/** Returns how overdue the newest settled rate is; null if it is not overdue, or if newer ones could not be read. */
export function findOverdueRate({
  settledTo,
  expectedTo,
}: Pick<FundingSeries, 'settledTo' | 'expectedTo'>): Overdue | null {
  if (settledTo === null || expectedTo === null || settledTo >= expectedTo) return null;
  return { newest: toInstant(settledTo), due: toInstant(expectedTo) };
}

function toInstant(epochMillis: number): Instant {
  return formatInstant(toEpochNanos(epochMillis), 0);
}
