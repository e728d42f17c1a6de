import type { Day } from '#contract/day.ts';
import type { Instant } from '#contract/instant.ts';
import { addDays } from '#domain/calendar.ts';
import type { ChosenRange } from '#domain/chosen-range.ts';
import { toWindow, type FundingWindow } from '#domain/funding/funding-window.ts';

export const WINDOW_NAMES = ['24h', '7d', '30d', '90d'] as const;
type WindowName = (typeof WINDOW_NAMES)[number];

const DAYS: Readonly<Record<WindowName, number>> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 };
const DAY_MS = 86_400_000;
/** The windows' own days and one more, since they end with a boundary and not with a day. */
const USUAL_DAYS = 91;

export interface NamedWindow extends FundingWindow {
  readonly id: WindowName | 'custom';
  /** For headers: `7 d`. */
  readonly label: string;
}

/** The named windows, each ending with the newest settled boundary: what the venue says has ended, not what a clock says. */
export function toNamedWindows(settledTo: number): readonly NamedWindow[] {
  return WINDOW_NAMES.map((id) => ({ id, label: id.replace(/[hd]$/, ' $&'), ...toWindow(DAYS[id], settledTo) }));
}

/** The window that the reader chose: one of the named, or one of days in UTC, both included. */
export function toChosenWindow(range: ChosenRange, named: readonly NamedWindow[], settledTo: number): NamedWindow | null {
  if (!('from' in range)) return named.find(({ id }) => id === range.name) ?? null;
  const to = range.to === null ? settledTo : Math.min(settledTo, toMidnight(addDays(range.to as Day, 1)));
  return { id: 'custom', label: 'Chosen', from: toMidnight(range.from as Day), to };
}

/** The first day of the window on screen: the one that a window of one's own begins with. */
export function toFirstDay(range: ChosenRange, today: Day): Day {
  return 'name' in range ? addDays(today, -DAYS[range.name as WindowName]) : today;
}

/** Since when prints are asked for: far enough back for every window and the heatmap. A midnight, so that a day asks the same. */
export function toBeginTime(today: Day, range: ChosenRange, heatIntervals: number): Instant {
  const chosen = 'from' in range ? (toMidnight(today) - toMidnight(range.from as Day)) / DAY_MS + 1 : 0;
  const days = Math.max(USUAL_DAYS, chosen, Math.ceil(heatIntervals / 3) + 1);
  return `${addDays(today, -days)}T00:00:00Z` as Instant;
}

function toMidnight(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}
