import { formatInstant, toEpochNanos } from '#contract/exchange/instant.ts';
import { toBoundInstant } from './time-range.ts';

const CLOCK = /^(\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?Z?$/;
const DAY_LENGTH = '2026-11-20'.length;

/**
 * The instant of a time as people write it, in epoch milliseconds: a time of the day that is shown (`14:03`, `14:03:10`), a
 * time, a day, or counted back from now (`15 min ago`). UTC. Null where it is none.
 */
export function parseWrittenInstant(
  text: string,
  { at, now }: { readonly at: number; readonly now: number },
): number | null {
  const [, minutes, seconds = ':00'] = CLOCK.exec(text.trim()) ?? [];
  const day = formatInstant(toEpochNanos(at)).slice(0, DAY_LENGTH);
  const instant = minutes === undefined ? toBoundInstant(text, 'from', now) : `${day}T${minutes}${seconds}Z`;
  const millis = instant === null ? NaN : Date.parse(instant);
  return Number.isNaN(millis) ? null : millis;
}
