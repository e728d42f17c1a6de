import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { useSettledSessions } from '#page/client/react/use-settled-sessions.ts';
import { summariseChecks } from '#model/checks/summarise-checks.ts';
import { nameProduct } from '#model/products/name-product.ts';
import { createPriceChecks } from '#model/markets/market-prices.ts';
import { isActive } from '#model/products/is-active.ts';
import type { PanelQuery, Stamp } from '#page/panels/panel-query.ts';

/** Slower than on Markets: a check is not watched by the second. */
export const CHECK_SECONDS = 60;

const slow = { everySeconds: CHECK_SECONDS };
const daily = { everySeconds: 900 };

/** Runs the cross-checks over all active products, with the responses that Markets uses. */
export function useCheckSummaries() {
  const { queries } = useApi();
  const products = useQuery(queries.desk.products({}));
  const trailing = useQuery(queries.venue.trailingStatsAll({}, slow));
  const voi = useQuery(queries.venue.chartVoi({}, daily));
  const funding = useQuery(queries.venue.fundingRates({ limit: 100 }, daily));
  const data = useQuery(queries.venue.productDataAll({}, slow));
  const sessions = useSettledSessions(voi, data);
  const summaries = useMemo(() => {
    const checksOf = createPriceChecks({
      voi: voi.data,
      funding: funding.data,
      data: data.data,
      sessions,
      trailing: trailing.data,
    });
    const active = products.data?.value.products.filter(isActive) ?? [];
    return summariseChecks(
      active.map((product) => ({ symbol: nameProduct(product), comparisons: checksOf(product).checks.comparisons })),
    );
  }, [products.data, trailing.data, voi.data, funding.data, data.data, sessions]);
  // The list of products is read once an hour: what changes are the figures that are compared.
  const compared: PanelQuery<Stamp> = [data, trailing].find((query) => query.data !== undefined) ?? products;
  return { query: products.data === undefined ? products : compared, summaries };
}
