import type { Fact } from '../fact-list.tsx';
import type { Deviation, Judged } from './panel-query.ts';

/** A deviation with what was asked when it was met. */
export interface MetDeviation extends Deviation {
  readonly endpoint: string;
}

/** Of all answers that are shown together, each once; what several answers of one endpoint have in common is counted. */
export function joinDeviations(answers: Iterable<Partial<Judged> | undefined>): readonly MetDeviation[] {
  const met = new Map<string, MetDeviation>();
  for (const answer of new Set(answers)) {
    for (const deviation of answer?.deviations ?? []) {
      const { kind, place, expected, found } = deviation;
      const endpoint = answer?.endpoint ?? '';
      const key = JSON.stringify([endpoint, kind, place, expected, found]);
      met.set(key, { ...deviation, endpoint, count: deviation.count + (met.get(key)?.count ?? 0) });
    }
  }
  return [...met.values()];
}

export function toDeviationFacts(deviations: readonly MetDeviation[]): readonly Fact[] {
  return deviations.map(({ endpoint, kind, place, expected, found, count }) => ({
    name: `${endpoint}: ${kind}`,
    value: `${place}: expected ${expected}, found ${found}${count > 1 ? `, ${String(count)} times` : ''}`,
    code: true,
  }));
}
