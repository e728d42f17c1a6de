import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { ApiResponse } from '#model/response.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useSettledSessions } from '#page/client/react/use-settled-sessions.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { PriceDataPoint } from '#contract/exchange/market-data.ts';
import { type ChartDoubts, withholdDoubtful, withholdImpossiblePrices } from '#model/price/withheld-prices.ts';
import { type RequestedRange, toRequestedRange } from '#model/time/date-range.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { type PanelQuery, usePanelQuery } from '#page/panels/panel-body.tsx';

/** As often as Markets reads them. */
const live = { everySeconds: 20 };
/** A predicted rate changes slowly. */
const slow = { everySeconds: 60 };

/**
 * Reads everything the screen shows about a product: daily figures of the chosen range, and current ones. The same
 * requests serve both, except for a custom range, which may end in the past or begin today.
 */
export function usePriceResponses({ id, product }: NamedProduct, range: RequestedRange, now: RequestedRange) {
  const { queries } = useApi();
  const perpetual = product?.type === 'perpetual';
  const base_symbol = product?.base_symbol ?? '';
  const data = useQuery(queries.venue.productData({ id }, live));
  const voiNow = useQuery(queries.venue.chartVoi({ product_id: id, ...now }));
  return {
    data: usePanelQuery(data),
    prices: usePanelQuery(useChartPrices({ id, product }, range)),
    voi: usePanelQuery(useQuery(queries.venue.chartVoi({ product_id: id, ...range }))),
    pricesNow: usePanelQuery(useChartPrices({ id, product }, now)),
    voiNow: usePanelQuery(voiNow),
    sessions: useSettledSessions(voiNow, useAsList(data)),
    stats: usePanelQuery(
      useQuery({ ...queries.venue.trailingStats({ product_id: id }), enabled: product?.product_status !== 'expired' }),
    ),
    funding: usePanelQuery(useQuery({ ...queries.venue.fundingRates({ product_id: id }), enabled: perpetual })),
    estimate: usePanelQuery(
      useQuery({
        ...queries.venue.fundingEstimated({ base_symbol }, slow),
        enabled: perpetual && base_symbol !== '' && product.product_status !== 'expired',
      }),
    ),
  };
}

function useAsList<Row>({
  data,
  error,
}: {
  readonly data: ApiResponse<Row> | undefined;
  readonly error: Error | null;
}) {
  return useMemo(() => ({ data: data && { ...data, value: [data.value] }, error }), [data, error]);
}

/** Reads the daily prices of a product, without those that are impossible for its type. */
function useChartPrices({ id, product }: Pick<NamedProduct, 'id' | 'product'>, range: RequestedRange, enabled = true) {
  const { queries } = useApi();
  return useQuery({
    ...queries.venue.chartPrice({ id, ...range }),
    enabled,
    select: useCallback((response: Prices) => toPossible(response, product), [product]),
  });
}

/** The whole history begins on the same day, whatever day it is read on. */
const WHOLE = toRequestedRange({ name: 'All' }, '1970-01-01' as Day, '1D');

/** Reads the whole history of a product. */
export function useWholeHistory({ id, product }: NamedProduct, isWanted: boolean) {
  const { queries } = useApi();
  return {
    prices: usePanelQuery(useChartPrices({ id, product }, WHOLE, isWanted)),
    voi: usePanelQuery(useQuery({ ...queries.venue.chartVoi({ product_id: id, ...WHOLE }), enabled: isWanted })),
  };
}

/** Returns the prices without those that are withheld. */
export function useCheckedPrices(prices: PanelQuery<Prices>, { price, volume }: ChartDoubts): PanelQuery<Prices> {
  return useMemo(() => {
    const { data } = prices;
    return data === undefined || (price === null && volume === null)
      ? prices
      : { ...prices, data: { ...data, value: withholdDoubtful(data.value, { price, volume }) } };
  }, [prices, price, volume]);
}

/** Reads the daily prices of several products. */
export function useComparedPrices(others: readonly NamedProduct[], range: RequestedRange) {
  const { queries } = useApi();
  const selects = useMemo(
    () =>
      others.map(
        ({ product }) =>
          (response: Prices) =>
            toPossible(response, product),
      ),
    [others],
  );
  return useQueries({
    queries: others.map(({ id }, place) => ({
      ...queries.venue.chartPrice({ id, ...range }),
      select: selects[place] ?? asRead,
    })),
  });
}

function asRead(response: Prices): Prices {
  return response;
}

type Prices = ApiResponse<readonly PriceDataPoint[]>;

function toPossible(response: Prices, product: DeskProduct | null): Prices {
  const value = withholdImpossiblePrices(response.value, product);
  return value === response.value ? response : { ...response, value };
}
