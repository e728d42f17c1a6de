import { expiryOf } from '../../market/calendar.ts';
import type { Micros } from '../../core/model.ts';

/** A contract month: months since January of the year 0. */
export type Month = number;

/** Contracts of each cycle, quarterly and monthly, that are listed at a time. */
const LISTED_AT_ONCE = 3;

export function monthOf(time: Micros): Month {
  const date = new Date(time / 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

export function isQuarterly(month: Month): boolean {
  return month % 3 === 2;
}

/** The contract month that follows by a number of steps (precedes, if negative) in the month's cycle. */
export function stepInCycle(month: Month, steps: number): Month {
  if (isQuarterly(month)) return month + 3 * steps;
  const place = Math.floor(month / 3) * 2 + (month % 3) + steps;
  return Math.floor(place / 2) * 3 + (((place % 2) + 2) % 2);
}

export function expiryOfMonth(month: Month): Micros {
  return expiryOf(Math.floor(month / 12), (month % 12) + 1);
}

/** A contract is listed when an earlier one of its cycle expires. */
export function listingOfMonth(month: Month): Micros {
  return expiryOfMonth(stepInCycle(month, -LISTED_AT_ONCE));
}
