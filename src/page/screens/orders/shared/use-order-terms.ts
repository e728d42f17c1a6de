import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { FUNDING_ROWS } from '#page/client/create-api.ts';
import { useDailyResponses } from '#page/client/react/use-daily-responses.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { createPriceChecks } from '#model/markets/market-prices.ts';
import { createMarketPriceOf, createTerms, type TermsOf } from '#model/orders/order-terms.ts';

export const CHECK_LIMITED =
  `Only the first ${String(FUNDING_ROWS)} funding rates were read: USD prices of ` +
  'other perpetuals may rest on an unchecked tick size';

export interface OrderTermsReading {
  /** Null until the product directory has been read. */
  readonly termsOf: TermsOf | null;
  /** Whether tick sizes can be checked only against marks of funding rates, and more of these exist than were read. */
  readonly isCheckLimited: boolean;
}

/** How often market prices are read for the distances of working orders. Costs a thirtieth of the usual budget. */
export const MARKET_SECONDS = 60;

/** Reads the product data that order figures depend on. Tick size checks start once there are orders to show. */
export function useOrderTerms(hasOrders: boolean, everySeconds?: number): OrderTermsReading {
  const { queries } = useApi();
  const products = useQuery(queries.desk.products({}));
  const { voi, funding, data, sessions, isRead } = useDailyResponses(hasOrders, everySeconds);
  const isKnown = products.data !== undefined || products.error !== null;
  const directory = products.data?.value.products ?? NO_PRODUCTS;
  const termsOf = useMemo(() => {
    if (!isKnown) return null;
    const check = isRead ? createPriceChecks({ voi, funding, data, sessions }) : () => null;
    return createTerms(directory, check, createMarketPriceOf(data));
  }, [isKnown, directory, isRead, voi, funding, data, sessions]);
  return { termsOf, isCheckLimited: data === undefined && Boolean(funding?.value.pagination.cursor) };
}

const NO_PRODUCTS: readonly DeskProduct[] = [];
