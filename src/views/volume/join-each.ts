import type { UseQueryResult } from '@tanstack/react-query';
import type { Answer } from '#api/answer.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { joinQueries } from '#ui/panel/join-queries.ts';
import type { PanelQuery } from '#ui/panel/panel-query.ts';

export interface VoiAnswer extends Answer<readonly VOIDataPoint[]> {
  /** Of products with an answer each, those answers, in the order of the products. */
  readonly each?: readonly Answer<readonly VOIDataPoint[]>[];
}

/** A function, since of an object the query's library would copy what is new, and copies of rows lose the digits kept beside them. */
export function joinEach(each: readonly UseQueryResult<Answer<readonly VOIDataPoint[]>>[]): () => PanelQuery<VoiAnswer> {
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
