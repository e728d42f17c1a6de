import type { Served } from './ports.ts';

/** Where and when the data of a composed response came from. */
export interface Provenance extends Pick<Served, 'outcome' | 'freshSeconds' | 'staleBecause'> {
  readonly answeredAt: number;
}

export function provenanceOf({ outcome, freshSeconds, staleBecause, response: { answeredAt } }: Served): Provenance {
  return { outcome, freshSeconds, staleBecause, answeredAt };
}

/** Combined: as old as the oldest, and stale if one of them is. */
export function provenanceOfAll(all: readonly Provenance[], freshSeconds: number): Provenance {
  const { outcome, staleBecause, ...stale } = all.find((one) => one.staleBecause !== null) ?? {
    outcome: 'hit' as const,
    freshSeconds,
    staleBecause: null,
  };
  return {
    outcome,
    staleBecause,
    freshSeconds: stale.freshSeconds,
    answeredAt: Math.min(...all.map(({ answeredAt }) => answeredAt)),
  };
}
