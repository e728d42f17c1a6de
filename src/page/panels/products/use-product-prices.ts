import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toFreshness } from '#page/client/freshness.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useIsOutdated } from '#page/client/react/use-desk-status.ts';
import { useSettledSessions } from '#page/client/react/use-settled-sessions.ts';
import { formatQuantity } from '#model/format/number.ts';
import { createMarketPrices, indexByProduct } from '#model/markets/market-prices.ts';
import type { Quantity } from '#model/units/quantity.ts';
import { useNow } from '#page/kit/time/use-now.tsx';

interface ProductPrice {
  /** Last price and its change since the settlement; a withheld figure is `n/a`. */
  readonly text: string;
  readonly isOld: boolean;
  /** Why a figure is withheld, or null. */
  readonly withheld: string | null;
}

const EVERY = { everySeconds: 60 } as const;
const DAILY = { everySeconds: 900 } as const;

/** Returns a function that gives the price of a product, from responses for all products; null if there is none. */
export function useProductPrices(): (product: DeskProduct) => ProductPrice | null {
  const { queries } = useApi();
  const data = useQuery(queries.venue.productDataAll({}, EVERY));
  const voi = useQuery(queries.venue.chartVoi({}, DAILY));
  const sessions = useSettledSessions(voi, data);
  const pricesOf = useMemo(() => {
    const responses = { voi: voi.data, data: data.data, sessions };
    return createMarketPrices(responses, indexByProduct(responses));
  }, [voi.data, data.data, sessions]);
  const isOutdated = useIsOutdated(data.data ?? { cache: 'unknown' });
  const now = useNow();
  const response = data.data;
  if (response === undefined || sessions === null) return () => null;
  const isOld =
    isOutdated || toFreshness({ ...data, data: response }, { reuseSeconds: EVERY.everySeconds }, now).mark === 'stale';
  return (product) => {
    const { last, changeFraction } = pricesOf(product);
    if (last === null) return null;
    const figures = [last, changeFraction].filter((figure) => figure !== null);
    return {
      text: figures.map(write).join(' '),
      isOld,
      withheld: figures.find(({ withheld }) => withheld !== null)?.withheld ?? null,
    };
  };
}

function write(figure: Quantity): string {
  if (figure.withheld !== null) return 'n/a';
  return `${formatQuantity(figure)}${figure.unit === 'fraction' ? ' %' : ''}`;
}
