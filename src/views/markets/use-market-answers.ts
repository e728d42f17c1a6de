import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Answer } from '#api/answer.ts';
import { useDoor } from '#api/react.tsx';
import type { EstimatedFundingRateData } from '#contract/funding.ts';
import type { MarketAnswers } from '#domain/market-rows.ts';
import { useTrickle } from '#ui/time/use-trickle.ts';
import { usePatience } from './use-patience.ts';

/** How often what moves is read again. Slower than the table's pace: the list asks for all products at once. */
export const MOVING_SECONDS = 20;
/** Open interest and settlements are of the day. */
const DAILY_SECONDS = 900;
/** One request a perpetual: they share what is left over. */
const ESTIMATE_SECONDS = 300;

const moving = { everySeconds: MOVING_SECONDS };
const daily = { everySeconds: DAILY_SECONDS };
const spare = { purpose: 'prefetch', everySeconds: ESTIMATE_SECONDS } as const;

/** Names of the answers that the list is put together from. */
export type PartName = 'products' | 'trailing' | 'voi' | 'funding' | 'data' | 'estimates';

/** One of the answers that the list is put together from. */
export interface MarketPart {
  readonly part: PartName;
  /** What is missing without it. */
  readonly name: string;
  readonly query: Pick<UseQueryResult<Answer<unknown>>, 'data' | 'error' | 'errorUpdatedAt' | 'isFetching' | 'refetch'>;
  /** Not every venue offers it. */
  readonly optional: boolean;
}

export interface MarketReading {
  /** The first names the products; without it there is no list. */
  readonly parts: readonly MarketPart[];
  /** Null until the products are known. */
  readonly answers: MarketAnswers | null;
}

/** Reads the whole list with five questions, whatever the number of products; then, one by one, estimates of perpetuals. */
export function useMarketAnswers(): MarketReading {
  const { queries } = useDoor();
  const products = useQuery(queries.desk.products({}));
  const trailing = useQuery(queries.venue.trailingStatsAll({}, moving));
  const voi = useQuery(queries.venue.chartVoi({}, daily));
  const funding = useQuery(queries.venue.fundingRates({}));
  const data = useQuery(queries.venue.productDataAll({}, moving));
  const parts = useMemo(() => toParts({ products, trailing, voi, funding, data }), [products, trailing, voi, funding, data]);
  const heard = parts.every(({ query }) => query.data !== undefined || query.error !== null);
  const perpetuals = useMemo(() => (heard ? perpetualsOf(products.data) : NONE), [heard, products.data]);
  const { estimates, unread } = useEstimates(perpetuals);
  const hasPatience = usePatience(products.data !== undefined);
  const isShown = heard || !hasPatience;
  // The same as long as nothing has come: who draws it need not draw it again.
  return useMemo(
    () => ({
      parts: [...parts, ...unread],
      answers:
        isShown && products.data !== undefined
          ? { products: products.data, trailing: trailing.data, voi: voi.data, funding: funding.data, data: data.data, estimates }
          : null,
    }),
    [parts, unread, isShown, products, trailing, voi, funding, data, estimates],
  );
}

type Queries = Readonly<Record<Exclude<PartName, 'estimates'>, MarketPart['query']>>;

function toParts({ products, trailing, voi, funding, data }: Queries): readonly MarketPart[] {
  return [
    { part: 'products', name: 'The directory of products', query: products, optional: false },
    { part: 'trailing', name: 'Volume of the last 24 hours', query: trailing, optional: false },
    { part: 'voi', name: 'Open interest and settlements', query: voi, optional: false },
    { part: 'funding', name: 'Funding', query: funding, optional: false },
    { part: 'data', name: 'Day change', query: data, optional: true },
  ];
}

const NONE: readonly string[] = [];

function perpetualsOf(answer: MarketAnswers['products'] | undefined): readonly string[] {
  const trading = answer?.value.products.filter(({ type, product_status: status }) => type === 'perpetual' && (status ?? 'active') === 'active');
  return trading?.flatMap(({ base_symbol: symbol }) => symbol ?? []) ?? NONE;
}

interface Estimates {
  readonly estimates: NonNullable<MarketAnswers['estimates']>;
  /** The first that could not be read stands for all: they fail together. */
  readonly unread: readonly MarketPart[];
}

function useEstimates(symbols: readonly string[]): Estimates {
  const { queries } = useDoor();
  const count = useTrickle(symbols.length);
  const combine = useCallback((results: readonly EstimateResult[]) => toEstimates(symbols, results), [symbols]);
  return useQueries({ queries: symbols.slice(0, count).map((base_symbol) => queries.venue.fundingEstimated({ base_symbol }, spare)), combine });
}

type EstimateResult = UseQueryResult<Answer<EstimatedFundingRateData>>;

function toEstimates(symbols: readonly string[], results: readonly EstimateResult[]): Estimates {
  const failed = results.find(({ data, error }) => data === undefined && error !== null);
  return {
    estimates: new Map(results.flatMap(({ data }, index) => (data === undefined ? [] : [[symbols[index] ?? '', data] as const]))),
    unread: failed === undefined ? NO_PARTS : [{ part: 'estimates', name: 'Estimates of funding', query: failed, optional: false }],
  };
}

const NO_PARTS: readonly MarketPart[] = [];
