import type { Day } from '#contract/exchange/day.ts';
import { addDays, toDay } from './calendar.ts';
import { hourThere } from './session.ts';

/** Midnight in Chicago in UTC, in summer; in winter it is an hour later. */
const BEGINS_FROM_UTC = 5;
const NOON = 12;

/** The day by the exchange's calendar, which begins at midnight in Chicago. */
export function exchangeDayOf(epochMillis: number): Day {
  const hour = new Date(epochMillis).getUTCHours();
  const hasBegun = hour === BEGINS_FROM_UTC ? hourThere(epochMillis) < NOON : hour > BEGINS_FROM_UTC;
  return addDays(toDay(epochMillis), hasBegun ? 0 : -1);
}
