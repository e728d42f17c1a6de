import { useDeferredValue } from 'react';
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Answer } from '#api/answer.ts';
import { useDoor } from '#api/react.tsx';
import type { DeskFunding } from '#contract/desk-funding.ts';
import type { EstimatedFundingRateData } from '#contract/funding.ts';
import type { Instant } from '#contract/instant.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { useTrickle } from '#ui/time/use-trickle.ts';

/** Open interest is of the day. */
const daily = { everySeconds: 900 };
/** One request a perpetual: they share what is left over. */
const spare = { purpose: 'prefetch', everySeconds: 300 } as const;

export interface CompareAnswers {
  readonly funding: UseQueryResult<Answer<DeskFunding>>;
  readonly voi: UseQueryResult<Answer<readonly VOIDataPoint[]>>;
  /** By base symbol; they come one by one. */
  readonly estimates: ReadonlyMap<string, Answer<EstimatedFundingRateData>>;
  /** The first estimate that could not be read stands for all: they fail together. */
  readonly estimateError: Error | null;
}

/** All settled prints since a time with one question, open interest with another, and then estimates one by one. */
export function useCompareAnswers(begin_time: Instant): CompareAnswers {
  const { queries } = useDoor();
  const funding = useQuery({ ...queries.desk.funding({ begin_time }), placeholderData: (previous) => previous });
  const voi = useQuery(queries.venue.chartVoi({}, daily));
  const symbols = funding.data?.value.perpetuals.map(({ base_symbol }) => base_symbol) ?? NONE;
  const wanted = symbols.slice(0, useTrickle(symbols.length));
  const { estimates, estimateError } = useQueries({
    queries: wanted.map((base_symbol) => queries.venue.fundingEstimated({ base_symbol }, spare)),
    combine: (results) => ({
      estimates: new Map(results.flatMap(({ data }, index) => (data === undefined ? [] : [[wanted[index] ?? '', data] as const]))),
      estimateError: results.find(({ data, error }) => data === undefined && error !== null)?.error ?? null,
    }),
  });
  // What comes is drawn in steps, and holds nothing else up.
  return useDeferredValue({ funding, voi, estimates, estimateError });
}

const NONE: readonly string[] = [];
