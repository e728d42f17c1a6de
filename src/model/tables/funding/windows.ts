import type { Day } from '#contract/exchange/day.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { INTERVALS_PER_DAY } from '../../funding/funding-rate.ts';
import { addDays } from '../../time/calendar.ts';
import type { ChosenRange } from '../../time/date-range.ts';
import { toWindow, type FundingWindow } from '../../funding/funding-window.ts';

export const WINDOW_NAMES = ['24h', '7d', '30d', '90d', '1y'] as const;
/** Shown whichever is chosen; a year of all perpetuals is read only where it is chosen. */
const SHORT_NAMES = WINDOW_NAMES.filter((name) => name !== '1y');
type WindowName = (typeof WINDOW_NAMES)[number];

const DAYS: Readonly<Record<WindowName, number>> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90, '1y': 365 };
const DAY_MS = 86_400_000;
/** The longest window that is always shown. */
const DEFAULT_DAYS = 90;

export interface NamedWindow extends FundingWindow {
  readonly id: WindowName | 'custom';
  /** For headers: `7 d`. */
  readonly label: string;
}

/** Named windows end at the newest funding time that any perpetual has settled or should have. */
export function toNamedWindows(endsAt: number): readonly NamedWindow[] {
  return SHORT_NAMES.map((name) => toNamedWindow(name, endsAt));
}

function toNamedWindow(id: WindowName, endsAt: number): NamedWindow {
  return { id, label: nameWindow(id), ...toWindow(DAYS[id], endsAt) };
}

/** `7 d`. */
function nameWindow(id: WindowName): string {
  return id.replace(/[hdy]$/, ' $&');
}

/** A named window, or a custom one of days in UTC, both inclusive. */
export function toChosenWindow(range: ChosenRange, endsAt: number): NamedWindow {
  if (!('from' in range)) return toNamedWindow(range.name as WindowName, endsAt);
  const to = range.to === null ? endsAt : Math.min(endsAt, toMidnight(addDays(range.to as Day, 1)));
  return { id: 'custom', label: 'Range', from: toMidnight(range.from as Day), to };
}

/** The first day of the window on screen, from which a custom window starts. */
export function toFirstDay(range: ChosenRange, today: Day): Day {
  return 'name' in range ? addDays(today, -DAYS[range.name as WindowName]) : today;
}

/** Far enough back for every window and the heatmap; a midnight, so that the request stays the same all day. */
export function toBeginTime(today: Day, range: ChosenRange, heatIntervals: number): Instant {
  const chosen =
    'from' in range ? (toMidnight(today) - toMidnight(range.from as Day)) / DAY_MS : DAYS[range.name as WindowName];
  // A day more, since windows end at a funding time, not at midnight.
  const days = Math.max(DEFAULT_DAYS, chosen, Math.ceil(heatIntervals / INTERVALS_PER_DAY)) + 1;
  return `${addDays(today, -days)}T00:00:00Z` as Instant;
}

function toMidnight(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}
