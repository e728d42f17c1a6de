import type { PanelQuery, Stamp } from './panel-body.tsx';

/** Joins queries shown together into one panel state: that of the worst of them, without data until all have some. */
export function joinQueries<T extends Stamp>(queries: readonly PanelQuery<T>[]): PanelQuery<T> {
  const responses = queries.map(({ data }) => data).filter((data) => data !== undefined);
  const failed = queries.find(({ error }) => error !== null);
  return {
    data: responses.length === queries.length ? findWorst(responses) : undefined,
    error: failed?.error ?? null,
    errorUpdatedAt: failed?.errorUpdatedAt ?? 0,
    isFetching: queries.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(queries.map(({ refetch }) => refetch())),
  };
}

/** Returns the worst response: a stale one, or else the oldest. */
function findWorst<T extends Stamp>(responses: readonly T[]): T | undefined {
  const producedAt = ({ receivedAt, ageSeconds }: Stamp): number => receivedAt - (ageSeconds ?? 0) * 1_000;
  const [worst] = responses.toSorted(
    (a, b) => Number(b.staleBecause !== null) - Number(a.staleBecause !== null) || producedAt(a) - producedAt(b),
  );
  return worst;
}
