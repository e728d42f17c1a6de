import type { DeskJournalActivity } from '#contract/desk/journal-activity.ts';
import { countOf, formatCount } from '../../format/count.ts';
import { formatDuration, formatInstant, type Zone, ZONE_NAMES } from '../../format/format-time.ts';

type Coverage = Pick<DeskJournalActivity, 'from' | 'to' | 'readings' | 'longest_seconds' | 'unread_seconds' | 'gaps'>;

/** What time figures are of, and how much of it was read; null where the journal has nothing of it. */
export function describeCoverage(
  { from, to, readings, longest_seconds: longest, unread_seconds: unread, gaps }: Coverage,
  zone: Zone,
): string | null {
  if (from === null || to === null) return null;
  const apart = longest === null ? '' : `, at most ${formatDuration(Math.ceil(longest))} apart`;
  return `${formatSpan(from, to, zone)} ${ZONE_NAMES[zone]}; read ${readings === 1 ? 'once' : `${formatCount(readings)} times`}${apart}; ${unread > 0 ? `${formatDuration(Math.ceil(unread))} not read (${describeGaps(gaps, zone)})` : 'no gaps'}`;
}

function describeGaps(gaps: Coverage['gaps'], zone: Zone): string {
  const [longest] = gaps.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  if (longest === undefined) return 'a gap';
  const span = formatSpan(longest.from, longest.to, zone);
  return gaps.length === 1 ? `gap ${span}` : `${countOf(gaps.length, 'gap')}, the longest ${span}`;
}

function lengthOf({ from, to }: Coverage['gaps'][number]): number {
  return Date.parse(to) - Date.parse(from);
}

const DAY = '2026-11-26 '.length;
const MINUTE = '2026-11-26 13:00'.length;
const SECOND = '2026-11-26 13:00:00'.length;

/** The day is named again only if it is another. */
function formatSpan(from: string, to: string, zone: Zone): string {
  const [first, last] = [formatInstant(Date.parse(from), zone), formatInstant(Date.parse(to), zone)];
  return `${cut(first)} to ${first.slice(0, DAY) === last.slice(0, DAY) ? cut(last).slice(DAY) : cut(last)}`;
}

function cut(text: string): string {
  return text.slice(MINUTE, SECOND) === ':00' ? text.slice(0, MINUTE) : text.slice(0, SECOND);
}
