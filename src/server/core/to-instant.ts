import type { Instant } from '#contract/exchange/instant.ts';

export function toInstant(epochMillis: number): Instant {
  return new Date(epochMillis).toISOString() as Instant;
}

export function toInstantOrNull(epochMillis: number | null): Instant | null {
  return epochMillis === null ? null : toInstant(epochMillis);
}
