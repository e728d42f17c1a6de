import { useQueries, useQuery } from '@tanstack/react-query';
import type { Answer } from '#api/answer.ts';
import { useDoor } from '#api/react.tsx';
import type { VOIDataPoint } from '#contract/voi.ts';
import type { AskedRange } from '#domain/chosen-range.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import type { Sourced } from '#domain/source.ts';
import type { PanelQuery } from '#ui/panel/panel-query.ts';

export interface VoiAnswer extends Answer<readonly VOIDataPoint[]> {
  /** Of products with an answer each, those answers, in the order of the products. */
  readonly each?: readonly Sourced<readonly VOIDataPoint[]>[];
}

/** The venue's own total of all the products, in one question. */
export function useTotal(products: readonly NamedProduct[], asked: AskedRange, enabled: boolean): PanelQuery<VoiAnswer> {
  const { queries } = useDoor();
  const [first] = products;
  const ids = products.length === 1 && first ? first.id : products.map(({ id }) => id);
  return useQuery({ ...queries.venue.chartVoi({ product_id: ids, ...asked }), enabled });
}

/** Each product's own rows, a question each, as one answer that is as old as its oldest. */
export function useEach(products: readonly NamedProduct[], asked: AskedRange, enabled: boolean): PanelQuery<VoiAnswer> {
  const { queries } = useDoor();
  const each = useQueries({ queries: products.map(({ id }) => ({ ...queries.venue.chartVoi({ product_id: id, ...asked }), enabled })) });
  const answers = each.flatMap(({ data }) => data ?? []);
  const failed = each.find(({ error }) => error !== null);
  return {
    data: answers.length === each.length ? join(answers) : undefined,
    error: failed?.error ?? null,
    errorUpdatedAt: failed?.errorUpdatedAt ?? 0,
    isFetching: each.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(each.map(({ refetch }) => refetch())),
  };
}

function join(answers: readonly VoiAnswer[]): VoiAnswer | undefined {
  const ageOf = ({ receivedAt, ageSeconds }: VoiAnswer): number => receivedAt - (ageSeconds ?? 0) * 1_000;
  const [oldest] = answers.toSorted((a, b) => Number(b.staleBecause !== null) - Number(a.staleBecause !== null) || ageOf(a) - ageOf(b));
  if (oldest === undefined) return undefined;
  return {
    ...oldest,
    each: answers,
    value: answers.flatMap(({ value }) => value),
    setAside: answers.flatMap(({ setAside }) => setAside),
    deviations: answers.flatMap(({ deviations }) => deviations),
  };
}
