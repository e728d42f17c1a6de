import type { CountedDeviation } from '#contract/parse/parse.ts';
import type { Fact } from '#model/format/fact.ts';
import type { Checked } from './panel-query.ts';

export interface EndpointDeviation extends Pick<CountedDeviation, 'kind' | 'place' | 'expected' | 'found' | 'count'> {
  readonly endpoint: string;
}

/** Of all responses shown together, each counted once; equal deviations of one endpoint are added up. */
export function joinDeviations(responses: Iterable<Partial<Checked> | undefined>): readonly EndpointDeviation[] {
  const joined = new Map<string, EndpointDeviation>();
  for (const response of new Set(responses)) {
    for (const deviation of response?.deviations ?? []) {
      const { kind, place, expected, found } = deviation;
      const endpoint = response?.endpoint ?? '';
      const key = JSON.stringify([endpoint, kind, place, expected, found]);
      joined.set(key, { ...deviation, endpoint, count: deviation.count + (joined.get(key)?.count ?? 0) });
    }
  }
  return [...joined.values()];
}

export function toDeviationFacts(deviations: readonly EndpointDeviation[]): readonly Fact[] {
  return deviations.map(({ endpoint, kind, place, expected, found, count }) => ({
    name: `${endpoint}: ${kind}`,
    value: `${place}: expected ${expected}, found ${found}${count > 1 ? `, ${String(count)} times` : ''}`,
    code: true,
  }));
}
