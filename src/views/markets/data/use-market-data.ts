import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ApiResponse } from '#api/api-response.ts';
import { useApi } from '#api/react/use-api.tsx';
import { useEstimates, type EstimatesResult } from '#api/react/use-estimates.ts';
import { useVenueTime } from '#api/react/use-venue-time.ts';
import { findNewestOver, markOver, type Estimates } from '#domain/funding/estimate.ts';
import type { MarketAnswers } from '#domain/market-rows.ts';
import type { PanelQuery } from '#panels/panel-query.ts';
import { useTeller } from '#ui/panel/teller.tsx';
import { usePanelQuery } from '#ui/panel/use-panel-query.ts';
import { useFromNow } from '#ui/time/use-now.tsx';
import { useTrickle } from '#ui/time/use-staggered-count.tsx';

/** How often what moves is read again. Slower than the table's pace: the list asks for all products at once. */
export const LIVE_REFRESH_SECONDS = 20;
/** Open interest and settlements are of the day. */
export const DAILY_REFRESH_SECONDS = 900;

const moving = { everySeconds: LIVE_REFRESH_SECONDS };
const daily = { everySeconds: DAILY_REFRESH_SECONDS };
/** More rows than there are perpetuals: how long a page is otherwise, every venue says for itself. */
const LATEST = { limit: 100 } as const;

/** Names of the answers that the list is put together from. */
export type MarketQueryName = 'products' | 'trailing' | 'voi' | 'funding' | 'data';

/** One of the answers that the list is put together from. */
export interface MarketQuery {
  readonly part: MarketQueryName;
  /** What is missing without it. */
  readonly name: string;
  readonly query: PanelQuery<ApiResponse<unknown>>;
  /** Not every venue offers it. */
  readonly optional: boolean;
}

export interface MarketState {
  /** The first names the products; without it there is no list. */
  readonly parts: readonly MarketQuery[];
  /** Null until the products are known. */
  readonly answers: MarketAnswers | null;
  readonly estimates: Estimates;
  readonly unread: MissingEstimates;
  /** The latest funding came in more than one page, of which the first is shown. */
  readonly isFundingCut: boolean;
}

/** Estimates that never came: why, and what to do. */
type MissingEstimates = Pick<EstimatesResult, 'missingBecause' | 'retry'>;

/** Reads the whole list with five questions, whatever the number of products; then, one by one, estimates of perpetuals. */
export function useMarketData(): MarketState {
  const { queries } = useApi();
  const products = usePanelQuery(useQuery(queries.desk.products({})));
  const trailing = usePanelQuery(useQuery(queries.venue.trailingStatsAll({}, moving)));
  const voi = usePanelQuery(useQuery(queries.venue.chartVoi({}, daily)));
  const funding = usePanelQuery(useQuery(queries.venue.fundingRates(LATEST)));
  const data = usePanelQuery(useQuery(queries.venue.productDataAll({}, moving)));
  const parts = useMemo(() => toParts({ products, trailing, voi, funding, data }), [products, trailing, voi, funding, data]);
  const heard = parts.every(({ query }) => query.data !== undefined || query.error !== null);
  const perpetuals = useMemo(() => (heard ? perpetualsOf(products.data) : NONE), [heard, products.data]);
  const unread = useEstimates(perpetuals, useTrickle(perpetuals.length), useTeller());
  const toVenueTime = useVenueTime();
  const newestOver = useFromNow((now) => findNewestOver(unread.estimates, toVenueTime(now)));
  const estimates = useMemo(() => markOver(unread.estimates, newestOver), [unread.estimates, newestOver]);
  const hasPatience = usePatience(products.data !== undefined);
  const isShown = heard || !hasPatience;
  const answers = useMemo(
    () => (isShown && products.data !== undefined ? { products: products.data, trailing: trailing.data, voi: voi.data, funding: funding.data, data: data.data } : null),
    [isShown, products.data, trailing.data, voi.data, funding.data, data.data],
  );
  const isFundingCut = Boolean(funding.data?.value.pagination.cursor);
  // The same as long as nothing has come: who draws it need not draw it again.
  return useMemo(() => ({ parts, answers, estimates, unread, isFundingCut }), [parts, answers, estimates, unread, isFundingCut]);
}

type Queries = Readonly<Record<MarketQueryName, MarketQuery['query']>>;

function toParts({ products, trailing, voi, funding, data }: Queries): readonly MarketQuery[] {
  return [
    { part: 'products', name: 'The directory of products', query: products, optional: false },
    { part: 'trailing', name: 'Volume of the last 24 hours', query: trailing, optional: false },
    { part: 'voi', name: 'Open interest and settlements', query: voi, optional: false },
    { part: 'funding', name: 'Funding', query: funding, optional: false },
    { part: 'data', name: 'Last price', query: data, optional: true },
  ];
}

const NONE: readonly string[] = [];

function perpetualsOf(answer: MarketAnswers['products'] | undefined): readonly string[] {
  const trading = answer?.value.products.filter(({ type, product_status: status }) => type === 'perpetual' && (status ?? 'active') === 'active');
  return trading?.flatMap(({ base_symbol: symbol }) => symbol ?? []) ?? NONE;
}

const PATIENCE_MS = 400;

/** True until a moment after something began: what else comes by then need not be drawn by itself. */
function usePatience(hasBegun: boolean): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!hasBegun) return undefined;
    const timer = setTimeout(() => {
      setOver(true);
    }, PATIENCE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [hasBegun]);
  return !isOver;
}
