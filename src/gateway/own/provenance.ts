import type { Served } from '../ports.ts';

/** Where and when something that the desk puts together came from. */
export interface Provenance extends Pick<Served, 'how' | 'freshSeconds' | 'staleBecause'> {
  readonly answeredAt: number;
}

export function provenanceOf({ how, freshSeconds, staleBecause, answer: { answeredAt } }: Served): Provenance {
  return { how, freshSeconds, staleBecause, answeredAt };
}

/** As old as the oldest of several, and stale where one of them is. */
export function provenanceOfAll(all: readonly Provenance[], freshSeconds: number): Provenance {
  const { how, staleBecause, ...stale } = all.find((one) => one.staleBecause !== null) ?? { how: 'hit', freshSeconds, staleBecause: null };
  return { how, staleBecause, freshSeconds: stale.freshSeconds, answeredAt: Math.min(...all.map(({ answeredAt }) => answeredAt)) };
}
