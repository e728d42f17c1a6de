import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#page/client/react/use-api.tsx';
import { useDailyResponses } from '#page/client/react/use-daily-responses.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { createPriceChecks } from '#model/markets/market-prices.ts';
import type { TermContext } from '#model/specification/term.ts';
import { useExchangeMinute } from '../use-exchange-minute.ts';

/** What the terms of a product are read with; null until the directory has been read. */
export function useTermContext(product: DeskProduct | null): TermContext | null {
  const { queries } = useApi();
  const { data: products } = useQuery(queries.desk.products({}));
  const now = useExchangeMinute();
  // The tick size of another product matters for strikes only: its check needs responses that most screens share.
  const { voi, funding, data, sessions } = useDailyResponses(product?.type === 'option');
  return useMemo(() => {
    if (products === undefined) return null;
    const byId = new Map(products.value.products.map((each) => [toNumber(each.product_id), each]));
    const checksOf = createPriceChecks({ voi, funding, data, sessions });
    return { products, now, find: (id) => byId.get(id), checkOf: (each) => checksOf(each).check };
  }, [products, now, voi, funding, data, sessions]);
}
