import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Answer } from '#api/answer.ts';
import { useDoor } from '#api/react.tsx';
import type { VOIDataPoint } from '#contract/voi.ts';
import type { AskedRange } from '#domain/chosen-range.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import { joinQueries } from '#ui/panel/join-queries.ts';
import type { PanelQuery } from '#ui/panel/panel-query.ts';
import { usePanelQuery } from '#ui/panel/use-panel-query.ts';

export interface VoiAnswer extends Answer<readonly VOIDataPoint[]> {
  /** Of products with an answer each, those answers, in the order of the products. */
  readonly each?: readonly Answer<readonly VOIDataPoint[]>[];
}

/** The venue's own total of all the products, in one question. */
export function useTotal(products: readonly NamedProduct[], asked: AskedRange, enabled: boolean): PanelQuery<VoiAnswer> {
  const { queries } = useDoor();
  const [first] = products;
  const ids = products.length === 1 && first ? first.id : products.map(({ id }) => id);
  return usePanelQuery(useQuery({ ...queries.venue.chartVoi({ product_id: ids, ...asked }), enabled }));
}

/** Each product's own rows, a question each, as one answer that is as old as its oldest. */
export function useEach(products: readonly NamedProduct[], asked: AskedRange, enabled: boolean): PanelQuery<VoiAnswer> {
  const { queries } = useDoor();
  const joined = useQueries({ queries: products.map(({ id }) => ({ ...queries.venue.chartVoi({ product_id: id, ...asked }), enabled })), combine });
  return joined();
}

/** A function, since of an object the query's library would copy what is new, and copies of rows lose the digits kept beside them. */
export function combine(each: readonly UseQueryResult<Answer<readonly VOIDataPoint[]>>[]): () => PanelQuery<VoiAnswer> {
  const { data: worst, ...joined } = joinQueries(each);
  const query = { ...joined, data: worst && join(worst, each.flatMap(({ data }) => data ?? [])) };
  return () => query;
}

function join(worst: VoiAnswer, answers: readonly VoiAnswer[]): VoiAnswer {
  return {
    ...worst,
    each: answers,
    value: answers.flatMap(({ value }) => value),
    setAside: answers.flatMap(({ setAside }) => setAside),
    deviations: answers.flatMap(({ deviations }) => deviations),
  };
}
