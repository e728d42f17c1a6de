import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#api/react/use-api.tsx';
import { useSettledSessions } from '#api/react/use-settled-sessions.ts';
import type { DeskProduct } from '#contract/desk.ts';
import { createPriceChecks } from '#domain/markets/market-prices.ts';
import { createTerms, type TermsOf } from '#domain/orders/order-terms.ts';

/** The prices that tick sizes are checked against change daily. */
const daily = { everySeconds: 900 };
/** One page, which has room for every perpetual of most exchanges. */
const FUNDING_ROWS = 100;

export const CHECK_LIMITED = `Only the first ${String(FUNDING_ROWS)} funding rates were read: USD prices of other perpetuals may rest on an unchecked tick size`;

export interface OrderTermsReading {
  /** Null before the product directory was read. */
  readonly termsOf: TermsOf | null;
  /** Whether only marks can check tick sizes, and there are more of them than were read. */
  readonly isCheckLimited: boolean;
}

/** The product data that order figures depend on. Tick size checks start once there are orders to show. */
export function useOrderTerms(hasOrders: boolean): OrderTermsReading {
  const { queries } = useApi();
  const products = useQuery(queries.desk.products({}));
  const voi = useQuery({ ...queries.venue.chartVoi({}, daily), enabled: hasOrders });
  const funding = useQuery({ ...queries.venue.fundingRates({ limit: FUNDING_ROWS }, daily), enabled: hasOrders });
  const data = useQuery({ ...queries.venue.productDataAll({}, daily), enabled: hasOrders });
  const sessions = useSettledSessions(voi, data);
  const isChecked = [voi, funding, data].every((query) => query.data !== undefined || query.error !== null);
  const isKnown = products.data !== undefined || products.error !== null;
  const directory = products.data?.value.products ?? NO_PRODUCTS;
  const termsOf = useMemo(() => {
    if (!isKnown) return null;
    const check = isChecked ? createPriceChecks({ voi: voi.data, funding: funding.data, data: data.data, sessions }) : () => null;
    return createTerms(directory, check);
  }, [isKnown, directory, isChecked, voi.data, funding.data, data.data, sessions]);
  return { termsOf, isCheckLimited: data.data === undefined && Boolean(funding.data?.value.pagination.cursor) };
}

const NO_PRODUCTS: readonly DeskProduct[] = [];
