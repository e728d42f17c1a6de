import type { Instant } from '#contract/exchange/instant.ts';
import { toMillis } from '../../time/session.ts';
import { formatInstant, type Zone } from '../../format/format-time.ts';

/** `2026-08-17 23:45:21.496`. The fraction is cut off the raw text, since a clock would round it. */
export function formatMoment(instant: Instant, zone: Zone): string {
  const millis = toMillis(instant);
  // A malformed time is shown as received.
  if (Number.isNaN(millis)) return instant;
  const time = formatInstant(millis, zone).slice(0, SECONDS);
  return `${time}.${instant.slice(20, -1).slice(0, 3).padEnd(3, '0')}`;
}

const SECONDS = '2026-08-17 23:45:21'.length;
