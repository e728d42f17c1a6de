import type { Instant } from '#contract/instant.ts';
import { toMillis } from '#domain/session.ts';
import type { Zone } from '#ui/preferences/preferences.ts';
import { formatInstant } from '#ui/time/format-time.ts';

/** What the times of a column are told by, for its head. */
export const ZONE_NAMES: Readonly<Record<Zone, string>> = { utc: 'UTC', local: 'local', chicago: 'Chicago' };

/** `2026-08-17 23:45:21.496`, by the clock of the zone. Fractions come from the wire: a clock would round them. */
export function formatMoment(instant: Instant, zone: Zone): string {
  const millis = toMillis(instant);
  // Not of the interface’s form: then as it came, rather than no list at all.
  if (Number.isNaN(millis)) return instant;
  const told = formatInstant(millis, zone).slice(0, SECONDS);
  return `${told}.${instant.slice(20, -1).slice(0, 3).padEnd(3, '0')}`;
}

const SECONDS = '2026-08-17 23:45:21'.length;
