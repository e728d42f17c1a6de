import type { Instant } from '#contract/instant.ts';

export function toInstant(epochMillis: number): Instant {
  return new Date(epochMillis).toISOString() as Instant;
}
