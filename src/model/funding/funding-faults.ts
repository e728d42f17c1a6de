import type { FundingRateData } from '#contract/exchange/market-data.ts';
import type { RevisedRate } from '#contract/desk/funding.ts';
import { parseInstant } from '#contract/exchange/instant.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { formatRate } from '../format/number.ts';
import { type Decimal, toDecimal } from '../units/decimal.ts';
import {
  INTERVAL_MS,
  type IntervalTimes,
  isPlausibleInterest,
  isPlausibleRate,
  toIntervalTimes,
} from './funding-rate.ts';

/** A settled rate with its times parsed. */
export interface TimedPrint extends IntervalTimes {
  readonly row: FundingRateData;
}

/**
 * A fault of a funding history. Faults are not repaired. Unknown rates are counted but excluded from every sum;
 * doubtful rates are included.
 */
export type FundingFault =
  /** Settled rates are missing between two others or since the newest one. `intervals`: how many. */
  | { readonly kind: 'gap'; readonly start: number; readonly end: number; readonly intervals: number }
  /** The same interval more than once: counted once if all rates agree, otherwise left out. */
  | {
      readonly kind: 'duplicate';
      readonly start: number;
      readonly end: number;
      readonly prints: readonly FundingRateData[];
      readonly agree: boolean;
    }
  /** Begins before the previous interval has ended: left out. */
  | {
      readonly kind: 'overlap';
      readonly start: number;
      readonly end: number;
      readonly prints: readonly FundingRateData[];
    }
  /** Not eight hours long: shown, but never annualised and not part of windows. */
  | {
      readonly kind: 'not 8 h';
      readonly start: number;
      readonly end: number;
      readonly prints: readonly FundingRateData[];
    }
  /** Eight hours long, but not between two funding times (00, 08 and 16 UTC): left out. */
  | {
      readonly kind: 'off schedule';
      readonly start: number;
      readonly end: number;
      readonly prints: readonly FundingRateData[];
    }
  /** A rate so large that it is doubtful, yet possible: counted. */
  | {
      readonly kind: 'implausible rate';
      readonly start: number;
      readonly end: number;
      readonly prints: readonly FundingRateData[];
    }
  /** An interest rate so large that it is doubtful, yet possible: counted. */
  | {
      readonly kind: 'implausible interest rate';
      readonly start: number;
      readonly end: number;
      readonly prints: readonly FundingRateData[];
    }
  /** Published with other values, too: counted as last published. */
  | {
      readonly kind: 'revised';
      readonly start: number;
      readonly end: number;
      readonly prints: readonly FundingRateData[];
      readonly before: FundingRateData;
    }
  /** No longer published: counted. */
  | {
      readonly kind: 'withdrawn';
      readonly start: number;
      readonly end: number;
      readonly prints: readonly FundingRateData[];
    }
  /** A time that cannot be parsed. */
  | { readonly kind: 'unreadable'; readonly prints: readonly FundingRateData[] };

interface ExaminedPrints {
  /** Rates without a fault, each from one funding time to the next, without overlaps, oldest first. */
  readonly sound: readonly TimedPrint[];
  /** Oldest first. */
  readonly faults: readonly FundingFault[];
  /** Start of the oldest and end of the newest interval, including intervals with a fault. */
  readonly from: number | null;
  readonly to: number | null;
}

/** Separates the sound settled rates of a perpetual from those with faults. Rows may be in any order. */
export function examinePrints(rows: readonly FundingRateData[], revisions?: readonly RevisedRate[]): ExaminedPrints {
  const faults: FundingFault[] = [];
  const ordered = toOrdered(rows, faults);
  faults.push(...findRevised(ordered, revisions));
  const sound: TimedPrint[] = [];
  // The end of all intervals so far, including those with a fault, and the last interval without one.
  let covered: number | null = null;
  let taken: TimedPrint | null = null;
  for (let at = 0; at < ordered.length; at += 1) {
    const print = ordered[at];
    if (print === undefined) continue;
    const same = countSame(ordered, at);
    if (covered !== null && print.start > covered) faults.push(toGap(covered, print.start));
    const twice = same > 1 ? toDuplicate(ordered.slice(at, at + same)) : null;
    if (twice !== null) faults.push(twice);
    const unsound = findUnsound(print, taken);
    if (unsound !== null) faults.push(unsound);
    else {
      taken = print;
      if (twice?.agree !== false) {
        sound.push(print);
        faults.push(...findImplausible(print));
      }
    }
    covered = Math.max(covered ?? print.end, print.end);
    at += same - 1;
  }
  return { sound, faults, from: ordered[0]?.start ?? null, to: covered };
}

function findRevised(ordered: readonly TimedPrint[], revisions: readonly RevisedRate[] = []): readonly FundingFault[] {
  if (revisions.length === 0) return [];
  // Of duplicates, the first counts.
  const byEnd = new Map(ordered.toReversed().map((print) => [parseInstant(print.row.interval_end), print]));
  return revisions.flatMap(({ interval_end: endAt, is_withdrawn: isWithdrawn, before }) => {
    const print = byEnd.get(parseInstant(endAt));
    if (print === undefined) return [];
    const { start, end, row } = print;
    return isWithdrawn
      ? { kind: 'withdrawn', start, end, prints: [row] }
      : { kind: 'revised', start, end, prints: [row], before };
  });
}

/** Names the values of a revised rate that differ: the rate itself, or else what was published with it. */
export function describeRevision({ prints: [row], before }: Extract<FundingFault, { kind: 'revised' }>): string {
  const rateOf = (print: FundingRateData): Decimal => toDecimal(wireText(print, 'funding_rate'));
  return row === undefined || rateOf(row).equals(rateOf(before))
    ? 'also published with another index, mark or interest rate'
    : `also published as ${formatRate(rateOf(before))} %`;
}

/** Finds the gap between the newest settled rate and the one that is due. */
export function findOverdueGap(settledTo: number, dueTo: number | null): readonly FundingFault[] {
  return dueTo === null || settledTo >= dueTo ? [] : [toGap(settledTo, dueTo)];
}

/** Names a fault in one or two words. */
export function nameFault(fault: FundingFault): string {
  return fault.kind === 'duplicate' && !fault.agree ? 'conflicting duplicate' : fault.kind;
}

/** Names the fault of each settled rate that has one. */
export function toFaultNames(faults: readonly FundingFault[]): ReadonlyMap<FundingRateData, string> {
  return new Map(
    faults.flatMap((fault) => ('prints' in fault ? fault.prints.map((row) => [row, nameFault(fault)] as const) : [])),
  );
}

function toOrdered(rows: readonly FundingRateData[], faults: FundingFault[]): readonly TimedPrint[] {
  const timed: TimedPrint[] = [];
  // The wire has the newest rate first, so the reversed rows are nearly sorted.
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at];
    if (row === undefined) continue;
    const times = toIntervalTimes(row);
    if (times === null) faults.push({ kind: 'unreadable', prints: [row] });
    else timed.push({ start: times.start, end: times.end, usual: times.usual, row });
  }
  return timed.sort((a, b) => a.start - b.start || a.end - b.end);
}

function countSame(ordered: readonly TimedPrint[], at: number): number {
  const first = ordered[at];
  let next = at + 1;
  while (ordered[next]?.start === first?.start && ordered[next]?.end === first?.end) next += 1;
  return next - at;
}

function toGap(start: number, end: number): FundingFault {
  return { kind: 'gap', start, end, intervals: Math.ceil((end - start) / INTERVAL_MS) };
}

function toDuplicate(prints: readonly TimedPrint[]): Extract<FundingFault, { kind: 'duplicate' }> | null {
  const [first] = prints;
  if (first === undefined) return null;
  const rates = new Set(prints.map(({ row }) => Number(wireText(row, 'funding_rate'))));
  return {
    kind: 'duplicate',
    start: first.start,
    end: first.end,
    prints: prints.map(({ row }) => row),
    agree: rates.size === 1,
  };
}

function findImplausible({ start, end, row }: TimedPrint): readonly FundingFault[] {
  if (!isPlausibleRate(toNumber(row.funding_rate))) return [{ kind: 'implausible rate', start, end, prints: [row] }];
  return isPlausibleInterest(toNumber(row.interest_rate))
    ? []
    : [{ kind: 'implausible interest rate', start, end, prints: [row] }];
}

function findUnsound(print: TimedPrint, taken: TimedPrint | null): FundingFault | null {
  const { start, end, row } = print;
  if (!print.usual) return { kind: 'not 8 h', start, end, prints: [row] };
  if (taken !== null && start < taken.end) return { kind: 'overlap', start, end, prints: [taken.row, row] };
  return start % INTERVAL_MS === 0 ? null : { kind: 'off schedule', start, end, prints: [row] };
}

const [NANOS_PER_SECOND, SECONDS_PER_MINUTE, MINUTES_PER_HOUR] = [1_000_000_000n, 60n, 60n];

/** Formats the length of an interval to the nanosecond, so that nearly eight hours do not read as eight. */
export function formatIntervalLength({ prints: [print] }: { readonly prints: readonly FundingRateData[] }): string {
  const [start, end] = [parseInstant(print?.interval_start ?? ''), parseInstant(print?.interval_end ?? '')];
  if (start === null || end === null) return 'an unreadable time';
  const nanos = end - start;
  const [length, sign] = nanos < 0n ? [-nanos, '−'] : [nanos, ''];
  const minutes = length / NANOS_PER_SECOND / SECONDS_PER_MINUTE;
  const parts = [
    [String(minutes / MINUTES_PER_HOUR), 'h'],
    [String(minutes % MINUTES_PER_HOUR), 'min'],
    [toSeconds(length % (NANOS_PER_SECOND * SECONDS_PER_MINUTE)), 's'],
  ].filter(([amount]) => amount !== '0');
  return parts.length === 0 ? '0 h' : sign + parts.map((part) => part.join(' ')).join(' ');
}

function toSeconds(nanos: bigint): string {
  const fraction = String(nanos % NANOS_PER_SECOND)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${String(nanos / NANOS_PER_SECOND)}${fraction === '' ? '' : `.${fraction}`}`;
}
