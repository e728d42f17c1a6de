import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { FUNDING_ROWS } from '#page/client/create-api.ts';
import { useDailyResponses } from '#page/client/react/use-daily-responses.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { createPriceChecks } from '#model/markets/market-prices.ts';
import { createOrderDoubts } from '#model/orders/order-doubts.ts';
import {
  type ChecksOf,
  createMarketPriceOf,
  createTerms,
  createTermsAt,
  type MarketPriceOf,
  type TermsOf,
} from '#model/orders/order-terms.ts';

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
  const { directory, checksOf, data, voi, isCheckLimited } = useProductChecks(hasOrders, everySeconds);
  // Only what is read again and again is compared with prices of now.
  const isLive = everySeconds !== undefined;
  const termsOf = useMemo(
    () =>
      directory && createTerms(directory, checksOf, createMarketPriceOf(data), createOrderDoubts(data, voi, isLive)),
    [directory, checksOf, data, voi, isLive],
  );
  return { termsOf, isCheckLimited };
}

export interface PastTermsReading extends Pick<OrderTermsReading, 'isCheckLimited'> {
  /** Creates the terms of orders at a time, from the market prices then. Null until the product directory has been read. */
  readonly termsAt: ((marketOf: MarketPriceOf) => TermsOf) | null;
}

/**
 * Reads the product data that figures of past orders depend on. The orders are not compared with market prices of today,
 * which say nothing about them.
 */
export function usePastTerms(hasOrders: boolean): PastTermsReading {
  const { directory, checksOf, isCheckLimited } = useProductChecks(hasOrders);
  const termsAt = useMemo(() => directory && createTermsAt(directory, checksOf), [directory, checksOf]);
  return { termsAt, isCheckLimited };
}

function useProductChecks(hasOrders: boolean, everySeconds?: number) {
  const { queries } = useApi();
  const products = useQuery(queries.desk.products({}));
  const { voi, funding, data, sessions, isRead } = useDailyResponses(hasOrders, everySeconds);
  const isKnown = products.data !== undefined || products.error !== null;
  const checksOf = useMemo(
    (): ChecksOf => (isRead ? createPriceChecks({ voi, funding, data, sessions }) : () => null),
    [isRead, voi, funding, data, sessions],
  );
  return {
    directory: isKnown ? (products.data?.value.products ?? NO_PRODUCTS) : null,
    checksOf,
    data,
    voi,
    isCheckLimited: data === undefined && Boolean(funding?.value.pagination.cursor),
  };
}

const NO_PRODUCTS: readonly DeskProduct[] = [];
