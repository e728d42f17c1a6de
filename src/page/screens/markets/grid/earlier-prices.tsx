import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Instant } from '#contract/exchange/instant.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { MarketRow } from '#model/markets/market-rows.ts';
import type { PriceChangeName } from '#model/markets/price-change-names.ts';
import {
  type ChangeJoin,
  createChangeJoin,
  type Earlier,
  listComparedSessions,
  SETTLEMENT_CHANGES,
} from '#model/markets/price-changes.ts';
import type { ApiResponse } from '#model/response.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useStable } from '#page/kit/use-stable.ts';
import { useExchangeNow } from '#page/panels/use-exchange-time.ts';

/** A settled session does not change, except by a correction, which is seen within this time. */
export const DAILY = { everySeconds: 900, purpose: 'prefetch' } as const;
const DAY_MS = 86_400_000;
/** Prices of a day ago are read again after this time, since each reading has an address of its own. */
const STEP_MS = 300_000;

interface EarlierPricesProps {
  readonly rows: readonly MarketRow[];
  readonly wanted: readonly PriceChangeName[];
  readonly onRead: (earlier: { readonly join: ChangeJoin }) => void;
}

/**
 * Reads the earlier prices that the wanted changes need: sessions of all products at once, after everything else, and
 * the prices of a day ago from Perpdesk’s own record. Draws nothing.
 */
export function EarlierPrices({ rows, wanted, onRead }: EarlierPricesProps) {
  const { queries } = useApi();
  const names = SETTLEMENT_CHANGES.filter((name) => wanted.includes(name));
  const days = useStable(listComparedSessions(rows, names));
  const settled = useQueries({ queries: days.map((day) => queries.venue.productDataAll({ day }, DAILY)), combine });
  const dayAgo = useExchangeNow((now) => Math.floor((now - DAY_MS) / STEP_MS) * STEP_MS);
  const { data, error } = useQuery({
    ...queries.desk.journalPrices({ at: new Date(dayAgo).toISOString() as Instant }),
    enabled: wanted.includes('change24h'),
  });
  const join = useMemo(
    () =>
      createChangeJoin({
        sessions: new Map(days.map((day, index) => [day, settled[index]])),
        dayAgo: toEarlier({ data, error }),
      }),
    [days, settled, data, error],
  );
  useEffect(() => {
    onRead({ join });
  }, [join, onRead]);
  return null;
}

function combine(
  results: readonly UseQueryResult<ApiResponse<readonly ProductData[]>>[],
): readonly Earlier<readonly ProductData[]>[] {
  return results.map(toEarlier);
}

export function toEarlier<T>({ data, error }: Pick<UseQueryResult<ApiResponse<T>>, 'data' | 'error'>): Earlier<T> {
  return data ?? (error === null ? undefined : { missingBecause: error.message });
}
