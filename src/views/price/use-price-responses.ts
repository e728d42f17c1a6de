import { useQuery } from '@tanstack/react-query';
import { useApi } from '#api/react/use-api.tsx';
import type { AskedRange } from '#domain/chosen-range.ts';
import type { NamedProduct } from '#domain/find-product.ts';
import { usePanelQuery } from '#ui/panel/use-panel-query.ts';

/** Trades come at any time; the list of markets reads them as often. */
const moving = { everySeconds: 20 };

/**
 * Everything the screen shows of a product: daily figures of the range, and those of now, which are the same answers unless
 * the range is one of the reader’s own: it may end in the past, or begin today. Each stands on its own: what is read is shown.
 */
export function usePriceResponses({ id, product }: NamedProduct, range: AskedRange, now: AskedRange) {
  const { queries } = useApi();
  const perpetual = product?.type === 'perpetual';
  return {
    data: usePanelQuery(useQuery(queries.venue.productData({ id }, moving))),
    prices: usePanelQuery(useQuery(queries.venue.chartPrice({ id, ...range }))),
    voi: usePanelQuery(useQuery(queries.venue.chartVoi({ product_id: id, ...range }))),
    pricesNow: usePanelQuery(useQuery(queries.venue.chartPrice({ id, ...now }))),
    voiNow: usePanelQuery(useQuery(queries.venue.chartVoi({ product_id: id, ...now }))),
    stats: usePanelQuery(useQuery({ ...queries.venue.trailingStats({ product_id: id }), enabled: product?.product_status !== 'expired' })),
    funding: usePanelQuery(useQuery({ ...queries.venue.fundingRates({ product_id: id }), enabled: perpetual })),
  };
}
