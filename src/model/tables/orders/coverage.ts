import type { DeskJournalActivity, ReadingGap } from '#contract/desk/journal.ts';
import { countOf, formatCount } from '../../format/count.ts';
import { formatDuration, formatInstant, type Zone, ZONE_NAMES } from '../../format/format-time.ts';
import { isHistoryBehind } from '../../orders/journal-figures.ts';

type Coverage = Pick<
  DeskJournalActivity,
  'from' | 'to' | 'readings' | 'longest_seconds' | 'unread_seconds' | 'gaps' | 'history_to'
>;

/** Describes what the time figures cover, and how much of it was read; null if the journal has none of it. */
export function describeCoverage(coverage: Coverage, zone: Zone): string | null {
  const { from, to, readings } = coverage;
  if (from === null || to === null) return null;
  const parts = [
    `${formatSpan(from, to, zone)} ${ZONE_NAMES[zone]}`,
    `read ${readings === 1 ? 'once' : `${formatCount(readings)} times`}${describePauses(coverage, from, zone)}`,
    describeHistory(coverage, to, zone),
  ];
  return parts.filter((part) => part !== null).join('; ');
}

/** Describes the longest time between two readings, whether or not it is a gap, and how many gaps there are. */
function describePauses(
  { longest_seconds: seconds, unread_seconds: unread, gaps }: Coverage,
  from: string,
  zone: Zone,
): string {
  const [gap] = gaps.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  const rest = seconds === null ? '' : `, longest pause ${formatPause(seconds)}`;
  if (gap === undefined) return `${rest}; no gaps`;
  const all = gaps.length === 1 ? '' : `; ${countOf(gaps.length, 'gap')}, together ${formatPause(unread)}`;
  const length = lengthOf(gap) / 1_000;
  if (length < (seconds ?? 0)) return `${rest}${gaps.length === 1 ? `; 1 gap of ${formatPause(length)}` : all}`;
  const span = formatSpan(gap.from, gap.to, zone);
  const day = formatInstant(Date.parse(from), zone).slice(0, DAY);
  const times = span.startsWith(day) ? span.slice(DAY) : span;
  return `, longest pause ${formatPause(length)} (${describeCause(gap.cause)} ${times} ${ZONE_NAMES[zone]})${all}`;
}

const CAUSES: ReadonlyMap<string | null, string> = new Map([
  ['exchange', 'exchange unreachable'],
  ['budget', 'requests used up'],
]);

/** Describes why nothing was read in a gap. */
export function describeCause(cause: ReadingGap['cause']): string {
  return CAUSES.get(cause) ?? 'not read';
}

/** Says since when orders that came and went between two readings are missing; null if that is too short to matter. */
function describeHistory(
  { history_to: read, longest_seconds: longest }: Coverage,
  to: string,
  zone: Zone,
): string | null {
  if (read === null) return 'order history not read: without orders that came and went between two readings';
  if (!isHistoryBehind(Date.parse(read), Date.parse(to), (longest ?? 0) * 1_000)) return null;
  const until = cut(formatInstant(Date.parse(read), zone));
  return `order history read until ${until}: without orders that came and went between two readings since then`;
}

/** Formats how long nothing was read, never rounded down. */
export function formatPause(seconds: number): string {
  if (seconds <= LONGEST_IN_SECONDS) return `${formatCount(Math.ceil(seconds))} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${String(minutes)} min` : formatDuration(minutes * 60);
}

const LONGEST_IN_SECONDS = 600;

function lengthOf({ from, to }: Coverage['gaps'][number]): number {
  return Date.parse(to) - Date.parse(from);
}

const DAY = '2026-11-26 '.length;
const MINUTE = '2026-11-26 13:00'.length;
const SECOND = '2026-11-26 13:00:00'.length;

/** Formats a span of time. The day is repeated only if it changes. */
function formatSpan(from: string, to: string, zone: Zone): string {
  const [first, last] = [formatInstant(Date.parse(from), zone), formatInstant(Date.parse(to), zone)];
  return `${cut(first)} to ${first.slice(0, DAY) === last.slice(0, DAY) ? cut(last).slice(DAY) : cut(last)}`;
}

function cut(text: string): string {
  return text.slice(MINUTE, SECOND) === ':00' ? text.slice(0, MINUTE) : text.slice(0, SECOND);
}
