import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useApi } from '#api/react/use-api.tsx';
import type { AskedRange } from '#domain/chosen-range.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import type { PanelQuery } from '#panels/panel-query.ts';
import { usePanelQuery } from '#ui/panel/use-panel-query.ts';
import type { ApiResponse } from '#api/api-response.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { joinQueries } from '#panels/join-queries.ts';

/** The venue's own total of all the products, in one question. */
export function useTotal(products: readonly NamedProduct[], asked: AskedRange, enabled: boolean): PanelQuery<VoiResponse> {
  const { queries } = useApi();
  const [first] = products;
  const ids = products.length === 1 && first ? first.id : products.map(({ id }) => id);
  return usePanelQuery(useQuery({ ...queries.venue.chartVoi({ product_id: ids, ...asked }), enabled }));
}

/** Each product's own rows, a question each, as one answer that is as old as its oldest. */
export function usePerProduct(products: readonly NamedProduct[], asked: AskedRange, enabled: boolean): PanelQuery<VoiResponse> {
  const { queries } = useApi();
  const joined = useQueries({ queries: products.map(({ id }) => ({ ...queries.venue.chartVoi({ product_id: id, ...asked }), enabled })), combine: joinResponses });
  return joined();
}

export interface VoiResponse extends ApiResponse<readonly VOIDataPoint[]> {
  /** Of products with an answer each, those answers, in the order of the products. */
  readonly each?: readonly ApiResponse<readonly VOIDataPoint[]>[];
}

/** A function, since of an object the query's library would copy what is new, and copies of rows lose the digits kept beside them. */
export function joinResponses(each: readonly UseQueryResult<ApiResponse<readonly VOIDataPoint[]>>[]): () => PanelQuery<VoiResponse> {
  const { data: worst, ...joined } = joinQueries(each);
  const query = { ...joined, data: worst && join(worst, each.flatMap(({ data }) => data ?? [])) };
  return () => query;
}

function join(worst: VoiResponse, answers: readonly VoiResponse[]): VoiResponse {
  return {
    ...worst,
    each: answers,
    value: answers.flatMap(({ value }) => value),
    setAside: answers.flatMap(({ setAside }) => setAside),
    deviations: answers.flatMap(({ deviations }) => deviations),
  };
}
