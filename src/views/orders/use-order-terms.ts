import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useDoor } from '#api/react.tsx';
import type { DeskProduct } from '#contract/desk.ts';
import { createIncrementChecks } from '#domain/orders/increment-evidence.ts';
import { createTerms, type TermsOf } from '#domain/orders/order-terms.ts';

/** What increments are held against is of the day. */
const daily = { everySeconds: 900 };

/**
 * What products make of the figures of orders; null before the directory was heard of. `later`: orders are there, so
 * what tells whether increments hold may be asked for. It is not worth waiting for before.
 */
export function useOrderTerms(later: boolean): TermsOf | null {
  const { queries } = useDoor();
  const products = useQuery(queries.desk.products({}));
  const voi = useQuery({ ...queries.venue.chartVoi({}, daily), enabled: later });
  const funding = useQuery({ ...queries.venue.fundingRates({ limit: 100 }, daily), enabled: later });
  const data = useQuery({ ...queries.venue.productDataAll({}, daily), enabled: later });
  const heard = [voi, funding, data].every((query) => query.data !== undefined || query.error !== null);
  const isKnown = products.data !== undefined || products.error !== null;
  const directory = products.data?.value.products ?? NO_PRODUCTS;
  return useMemo(() => {
    if (!isKnown) return null;
    const check = heard ? createIncrementChecks({ voi: voi.data, funding: funding.data, data: data.data }) : () => null;
    return createTerms(directory, check);
  }, [isKnown, directory, heard, voi.data, funding.data, data.data]);
}

const NO_PRODUCTS: readonly DeskProduct[] = [];
