import type { Instant } from '#contract/instant.ts';
import { toMillis } from '#domain/session.ts';
import type { Zone } from '#ui/preferences/preferences.ts';
import { formatInstant } from '#ui/time/format-time.ts';

/** What the times of a column are told by, for its head. */
export const ZONE_NAMES: Readonly<Record<Zone, string>> = { utc: 'UTC', local: 'local', chicago: 'Chicago' };

/** `2026-08-17 23:45:21.496`, by the clock of the zone. Fractions come from the wire: a clock would round them. */
export function formatMoment(instant: Instant, zone: Zone): string {
  const told = formatInstant(toMillis(instant), zone).slice(0, SECONDS);
  return `${told}.${instant.slice(20, -1).slice(0, 3).padEnd(3, '0')}`;
}

const SECONDS = '2026-08-17 23:45:21'.length;
