import type { Day } from '#contract/exchange/day.ts';
import { compareInstants, type Instant } from '#contract/exchange/instant.ts';
import { compareCodes } from '../compare-codes.ts';
import { formatDay } from '../format/day.ts';
import type { DataTime } from '../source.ts';
import type { Due } from './due-times.ts';
import { dateOf } from './session.ts';

/** A response whose newest row is older than it may be. */
export interface Overdue {
  /** Time of that row. */
  readonly newest: DataTime;
  /** Time of the row that should be there. */
  readonly due: DataTime;
}

/** Null where the newest row is recent enough, or where there is none. */
export function findOverdue(newest: DataTime | null, due: Due): Overdue | null {
  return newest !== null && isBefore(newest, due.tolerated) ? { newest, due: due.newest } : null;
}

function isBefore(a: DataTime, b: DataTime): boolean {
  return isDay(b) ? dateOf(a) < b : compareInstants(a as Instant, b) < 0;
}

function isDay(time: DataTime): time is Day {
  return time.length === 'YYYY-MM-DD'.length;
}

/** `The newest settlement is from 10 Nov 2026; that of 24 Nov 2026 is missing.` */
export function describeOverdue(noun: string, overdue: Overdue): string {
  return `The ${describeTimes(noun, overdue)}`;
}

function describeTimes(noun: string, { newest, due }: Overdue): string {
  const format = isDay(due) ? (time: DataTime) => formatDay(dateOf(time)) : formatTime;
  return `newest ${noun} is from ${format(newest)}; that of ${format(due)} is missing.`;
}

function formatTime(time: DataTime): string {
  return `${formatDay(dateOf(time))} ${time.slice('YYYY-MM-DDT'.length, 'YYYY-MM-DDTHH:MM'.length)} UTC`;
}

/** Something overdue, by the name of what it is of. */
export interface NamedOverdue {
  readonly name: string;
  readonly overdue: Overdue | null;
}

/** Which of several are overdue, with the dates of the oldest: they usually share them. Null where none is. */
export function describeAllOverdue(noun: string, owners: string, all: readonly NamedOverdue[]): string | null {
  const late = all.flatMap(({ name, overdue }) => (overdue === null ? [] : [{ name, overdue }]));
  const [first] = late.toSorted((a, b) => compareCodes(a.overdue.newest, b.overdue.newest));
  if (first === undefined) return null;
  return `${nameOwners(first.name, late.length, all.length, owners)}: the ${describeTimes(noun, first.overdue)}`;
}

function nameOwners(first: string, late: number, all: number, owners: string): string {
  if (late === 1) return first;
  return late === all ? `All ${String(all)} ${owners}` : `${first} and ${String(late - 1)} more`;
}
