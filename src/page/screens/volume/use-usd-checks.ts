import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ApiResponse } from '#model/response.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useDailyResponses } from '#page/client/react/use-daily-responses.ts';
import { toNumber } from '#contract/exchange/brand.ts';
import type { PriceDataPoint } from '#contract/exchange/price-data.ts';
import { whyWithheld } from '#model/checks/judge-prices.ts';
import { createPriceChecks, type PriceResponses } from '#model/markets/market-prices.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { orderSessions } from '#model/price/bars.ts';
import { toRequestedRange } from '#model/time/date-range.ts';
import { latestSessionOf } from '#model/time/session.ts';
import type { NamedReason } from '#model/format/name-some.ts';
import { useNowSelector } from '#page/kit/time/use-now.tsx';
import type { VoiResponse } from './shared/use-voi.ts';

/**
 * The products whose USD values fail a cross-check, each with the reason. `perProduct`: the rows that are shown, where they
 * are the products' own. The chart, which is one request a product, is read of a single one, and where it alone can decide.
 */
export function useUsdChecks(
  products: readonly NamedProduct[],
  perProduct: VoiResponse | undefined,
): readonly NamedReason[] {
  const { queries } = useApi();
  const { voi, funding, data, sessions } = useDailyResponses(true);
  const today = useNowSelector(latestSessionOf);
  const responses = useMemo(
    () => ({ voi: joinDays(voi, perProduct), funding, data, sessions }),
    [voi, perProduct, funding, data, sessions],
  );
  const undecided = useMemo(
    () => (products.length === 1 ? products : findUndecided(products, responses)),
    [products, responses],
  );
  const range = toRequestedRange({ name: '6M' }, today, '1D');
  const charts = useQueries({
    queries: undecided.map(({ id }) => queries.venue.chartPrice({ id, ...range })),
    combine,
  });
  return useMemo(() => {
    const known = new Map(undecided.map(({ id }, at) => [toNumber(id), orderSessions(charts[at]?.value ?? [])]));
    const checksOf = createPriceChecks({ ...responses, charts: known });
    return products.flatMap(({ name, product }) => {
      const reason = product && whyWithheld(checksOf(product).checks.reasons, 'daily USD value');
      return reason === null ? [] : [{ name, reason }];
    });
  }, [products, responses, undecided, charts]);
}

/** The rows of all products cover the last days; those that are shown may be older. */
function joinDays(all: VoiResponse | undefined, shown: VoiResponse | undefined): VoiResponse | undefined {
  return all && shown ? { ...all, value: [...shown.value, ...all.value] } : (all ?? shown);
}

function findUndecided(products: readonly NamedProduct[], responses: PriceResponses): readonly NamedProduct[] {
  const checksOf = createPriceChecks(responses);
  return products.filter(
    ({ product }) => product !== null && checksOf(product).checks.reasons.has('tick size or contract size'),
  );
}

type Chart = ApiResponse<readonly PriceDataPoint[]>;

function combine(results: readonly UseQueryResult<Chart>[]): readonly (Chart | undefined)[] {
  return results.map(({ data }) => data);
}
