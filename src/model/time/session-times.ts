import type { Day } from '#contract/exchange/instant.ts';
import { hourThere, sessionBefore, type SessionRules } from './session.ts';

const HOUR_MS = 3_600_000;
/** Sessions settle at this hour in Chicago, which is at 21:00 UTC in summer and an hour later in winter. */
const SETTLES_AT = 16;

/** Returns when the session of a day opens, which is when the one before it settles, and when it settles itself. */
export function sessionTimes(day: Day, rules: SessionRules): { readonly from: number; readonly to: number } {
  return { from: settlesAt(sessionBefore(day, rules)), to: settlesAt(day) };
}

function settlesAt(day: Day): number {
  const inSummer = Date.parse(`${day}T21:00:00Z`);
  return hourThere(inSummer) === SETTLES_AT ? inSummer : inSummer + HOUR_MS;
}
