import type { Day } from '#contract/exchange/day.ts';
import { monthOf, weekOf } from './calendar.ts';

export const PERIODS = ['1D', '1W', '1M'] as const;
export type Period = (typeof PERIODS)[number];

/** Weeks and months are computed by Perpdesk, which the screen states. */
export const PERIOD_LABELS: Readonly<Record<Period, string>> = {
  '1D': 'Daily bars, as published',
  '1W': 'Weekly bars (Mon–Sun), built from daily sessions',
  '1M': 'Monthly bars, built from daily sessions',
};

/** For bars longer than a session. */
export const COVERAGE_OF_BARS = 'First bar covers its whole period; the latest may not';

/** Label of a bar's date. */
export const BAR_DATE_LABELS: Readonly<Record<Period, string>> = { '1D': 'Session', '1W': 'Week of', '1M': 'Month of' };

/** The date of the bar that a session belongs to: its own, the Monday of its week or the first of its month. */
export function toPeriodStart(day: Day, period: Period): Day {
  if (period === '1D') return day;
  return period === '1W' ? weekOf(day) : monthOf(day);
}
