import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Answer } from '#api/answer.ts';
import { useDoor } from '#api/react.tsx';
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
  const parts = [
    { part: 'products', name: 'The directory of products', query: products, optional: false },
    { part: 'trailing', name: 'Volume of the last 24 hours', query: trailing, optional: false },
    { part: 'voi', name: 'Open interest and settlements', query: voi, optional: false },
    { part: 'funding', name: 'Funding', query: funding, optional: false },
    { part: 'data', name: 'Day change', query: data, optional: true },
  ] as const satisfies readonly MarketPart[];
  const heard = parts.every(({ query }) => query.data !== undefined || query.error !== null);
  const { estimates, unread } = useEstimates(heard ? perpetualsOf(products.data) : NONE);
  const hasPatience = usePatience(products.data !== undefined);
  const isShown = products.data !== undefined && (heard || !hasPatience);
  return {
    parts: [...parts, ...unread],
    answers: isShown ? { products: products.data, trailing: trailing.data, voi: voi.data, funding: funding.data, data: data.data, estimates } : null,
  };
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
  const wanted = symbols.slice(0, useTrickle(symbols.length));
  return useQueries({
    queries: wanted.map((base_symbol) => queries.venue.fundingEstimated({ base_symbol }, spare)),
    combine: (results) => {
      const failed = results.find(({ data, error }) => data === undefined && error !== null);
      return {
        estimates: new Map(results.flatMap(({ data }, index) => (data === undefined ? [] : [[wanted[index] ?? '', data] as const]))),
        unread: failed === undefined ? [] : [{ part: 'estimates' as const, name: 'Estimates of funding', query: failed, optional: false }],
      };
    },
  });
}
