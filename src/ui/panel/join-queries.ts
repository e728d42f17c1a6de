import type { PanelQuery, Stamp } from './panel-query.ts';

/** Queries that are shown together, for the panel's state: as badly off as the worst of them, and empty until all have data. */
export function joinQueries<T extends Stamp>(queries: readonly PanelQuery<T>[]): PanelQuery<T> {
  const answers = queries.map(({ data }) => data).filter((data) => data !== undefined);
  const failed = queries.find(({ error }) => error !== null);
  return {
    data: answers.length === queries.length ? findWorst(answers) : undefined,
    error: failed?.error ?? null,
    errorUpdatedAt: failed?.errorUpdatedAt ?? 0,
    isFetching: queries.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(queries.map(({ refetch }) => refetch())),
  };
}

/** A stale one first, and then the oldest. */
function findWorst<T extends Stamp>(answers: readonly T[]): T | undefined {
  const bornAt = ({ receivedAt, ageSeconds }: Stamp): number => receivedAt - (ageSeconds ?? 0) * 1_000;
  const [worst] = answers.toSorted((a, b) => Number(b.staleBecause !== null) - Number(a.staleBecause !== null) || bornAt(a) - bornAt(b));
  return worst;
}
