import { isDay, type Day } from '#contract/exchange/day.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Formats a session's date: `17 Aug 2026`. Not shifted by a time zone. */
export function formatDay(day: Day): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return `${String(Number(date))} ${MONTHS[Number(month) - 1] ?? month} ${year}`;
}

/** A day as it is entered: ISO 8601, the same wherever the reader is. Null where it is none. */
export function readDay(text: string): Day | null {
  const day = text.trim();
  return isDay(day) ? day : null;
}
