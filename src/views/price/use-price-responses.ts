import { useQuery } from '@tanstack/react-query';
import { useApi } from '#api/react/use-api.tsx';
import type { RequestedRange } from '#domain/time/date-range.ts';
import type { NamedProduct } from '#domain/markets/product-directory.ts';
import { usePanelQuery } from '#panels/panel-query.ts';

/** As often as on Markets. */
const live = { everySeconds: 20 };

/**
 * Everything the screen shows of a product: daily figures of the chosen range, and current ones. Both come from the same
 * requests unless the range is a custom one, which may end in the past or begin today.
 */
export function usePriceResponses({ id, product }: NamedProduct, range: RequestedRange, now: RequestedRange) {
  const { queries } = useApi();
  const perpetual = product?.type === 'perpetual';
  return {
    data: usePanelQuery(useQuery(queries.venue.productData({ id }, live))),
    prices: usePanelQuery(useQuery(queries.venue.chartPrice({ id, ...range }))),
    voi: usePanelQuery(useQuery(queries.venue.chartVoi({ product_id: id, ...range }))),
    pricesNow: usePanelQuery(useQuery(queries.venue.chartPrice({ id, ...now }))),
    voiNow: usePanelQuery(useQuery(queries.venue.chartVoi({ product_id: id, ...now }))),
    stats: usePanelQuery(useQuery({ ...queries.venue.trailingStats({ product_id: id }), enabled: product?.product_status !== 'expired' })),
    funding: usePanelQuery(useQuery({ ...queries.venue.fundingRates({ product_id: id }), enabled: perpetual })),
  };
}
