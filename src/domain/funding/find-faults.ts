import type { FundingRateData } from '#contract/funding.ts';
import { wireText } from '#contract/json-text.ts';
import { INTERVAL_MS, toIntervalTimes, type IntervalTimes } from './interval-times.ts';

/** A settled print with its times read. */
export interface TimedPrint extends IntervalTimes {
  readonly row: FundingRateData;
}

/** What is wrong with a history. Nothing of it is mended: what cannot be told is left out of every sum, and counted. */
export type FundingFault =
  /** Nothing was settled for a stretch between two prints. `intervals` as many as it would have had. */
  | { readonly kind: 'hole'; readonly start: number; readonly end: number; readonly intervals: number }
  /** The same interval more than once: counted once where all say the same rate, else not at all. */
  | { readonly kind: 'duplicate'; readonly start: number; readonly end: number; readonly prints: readonly FundingRateData[]; readonly agree: boolean }
  /** Eight hours, but it begins before one that counts had ended: left out. */
  | { readonly kind: 'overlap'; readonly start: number; readonly end: number; readonly prints: readonly FundingRateData[] }
  /** Not eight hours by its own times: shown, never annualised, left out of windows. */
  | { readonly kind: 'odd length'; readonly start: number; readonly end: number; readonly prints: readonly FundingRateData[] }
  /** Eight hours, but not from one boundary to the next, which are at 00, 08 and 16 UTC: left out. */
  | { readonly kind: 'off the boundaries'; readonly start: number; readonly end: number; readonly prints: readonly FundingRateData[] }
  /** A time that names no moment. */
  | { readonly kind: 'unreadable'; readonly prints: readonly FundingRateData[] };

interface ExaminedPrints {
  /** Those that count: each from a boundary to the next, none overlapping another, oldest first. */
  readonly sound: readonly TimedPrint[];
  /** Oldest first. */
  readonly faults: readonly FundingFault[];
  /** Where the oldest print of any kind begins, and the newest ends. */
  readonly from: number | null;
  readonly to: number | null;
}

/** Tells a perpetual's settled prints, in any order, from what is wrong with them. */
export function examinePrints(rows: readonly FundingRateData[]): ExaminedPrints {
  const faults: FundingFault[] = [];
  const ordered = toOrdered(rows, faults);
  const sound: TimedPrint[] = [];
  /** Up to where prints of any kind reach, and the last that takes its interval. */
  let covered: number | null = null;
  let taken: TimedPrint | null = null;
  for (let at = 0; at < ordered.length; at += 1) {
    const print = ordered[at];
    if (print === undefined) continue;
    const same = countSame(ordered, at);
    if (covered !== null && print.start > covered) faults.push(toHole(covered, print.start));
    const twice = same > 1 ? toDuplicate(ordered.slice(at, at + same)) : null;
    if (twice !== null) faults.push(twice);
    const unsound = findUnsound(print, taken);
    if (unsound !== null) faults.push(unsound);
    else {
      taken = print;
      if (twice?.agree !== false) sound.push(print);
    }
    covered = Math.max(covered ?? print.end, print.end);
    at += same - 1;
  }
  return { sound, faults, from: ordered[0]?.start ?? null, to: covered };
}

/** What is wrong with prints that something is wrong with. */
export function toFaultKinds(faults: readonly FundingFault[]): ReadonlyMap<FundingRateData, FundingFault['kind']> {
  return new Map(faults.flatMap((fault) => ('prints' in fault ? fault.prints.map((row) => [row, fault.kind] as const) : [])));
}

function toOrdered(rows: readonly FundingRateData[], faults: FundingFault[]): readonly TimedPrint[] {
  const timed: TimedPrint[] = [];
  // The wire has the newest first: turned round, they are in order at once.
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

function toHole(start: number, end: number): FundingFault {
  return { kind: 'hole', start, end, intervals: Math.ceil((end - start) / INTERVAL_MS) };
}

function toDuplicate(prints: readonly TimedPrint[]): Extract<FundingFault, { kind: 'duplicate' }> | null {
  const [first] = prints;
  if (first === undefined) return null;
  const rates = new Set(prints.map(({ row }) => Number(wireText(row, 'funding_rate'))));
  return { kind: 'duplicate', start: first.start, end: first.end, prints: prints.map(({ row }) => row), agree: rates.size === 1 };
}

function findUnsound(print: TimedPrint, taken: TimedPrint | null): FundingFault | null {
  const { start, end, row } = print;
  if (!print.usual) return { kind: 'odd length', start, end, prints: [row] };
  if (taken !== null && start < taken.end) return { kind: 'overlap', start, end, prints: [taken.row, row] };
  return start % INTERVAL_MS === 0 ? null : { kind: 'off the boundaries', start, end, prints: [row] };
}
