import type { Brand } from './brand.ts';
import { isInstant } from './instant.ts';

/** A calendar or trading day, `YYYY-MM-DD`. It has no time zone and is never shifted by one. Days compare as text. */
export type Day = Brand<string, 'day'>;

const DAY_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** Whether a text is a day of the calendar, years 0000 to 9999 (31 February is not one). */
export function isDay(text: string): text is Day {
  // Every month has 28 days, so most days need no calendar.
  return DAY_PATTERN.test(text) && (text.slice('YYYY-MM-'.length) <= '28' || isInstant(`${text}T00:00:00Z`));
}
