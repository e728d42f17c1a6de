import { type Estimate, toAgeMillis } from './estimate.ts';

/** Returns how long ago a rate was read, to stand before it: `3 min · `, or nothing within the first minute. */
export function formatReadAge(
  read: Pick<Estimate, 'receivedAt' | 'ageSeconds'>,
  now: number,
  unit: ' min · ' | 'm ' = ' min · ',
): string {
  const minutes = Math.floor(toAgeMillis(read, now) / 60_000);
  return minutes === 0 ? '' : `${String(minutes)}${unit}`;
}
