import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { createFigureJoin, type FigureJoin, findFuturesSession, listDoubts } from '#model/curve/market-figures.ts';
import type { MarketRow } from '#model/markets/market-rows.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useStable } from '#page/kit/use-stable.ts';
import { live } from '../shared/use-market-data.ts';
import { DAILY, toEarlier } from './earlier-prices.tsx';

interface CurveFiguresProps {
  readonly rows: readonly MarketRow[];
  readonly onRead: (later: { readonly join: FigureJoin }) => void;
}

/**
 * Reads the session in which futures settled last, in which their perpetuals settled as well, daily open interest and 24 h
 * volume, which the list reads anyway. Draws nothing.
 */
export function CurveFigures({ rows, onRead }: CurveFiguresProps) {
  const { queries } = useApi();
  const day = findFuturesSession(rows);
  const doubts = useStable(listDoubts(rows));
  const products = useQuery(queries.desk.products({})).data?.value.products;
  const [settled] = useQueries({
    queries: (day === null ? [] : [day]).map((one) => queries.venue.productDataAll({ day: one }, DAILY)),
  });
  const { data, error } = useQuery(queries.venue.chartVoi({}, { everySeconds: DAILY.everySeconds }));
  const volume = useQuery(queries.venue.trailingStatsAll({}, live));
  const isVolumeAwaited = volume.data === undefined && volume.error === null;
  const [session, reading] = [settled?.data, settled?.error ?? null];
  const join = useMemo(
    () =>
      createFigureJoin({
        directory: products ?? [],
        doubts,
        day,
        session:
          day === null
            ? { missingBecause: 'No future has settled yet.' }
            : toEarlier({ data: session, error: reading }),
        voi: toEarlier({ data, error }),
        isVolumeAwaited,
      }),
    [products, doubts, day, session, reading, data, error, isVolumeAwaited],
  );
  useEffect(() => {
    onRead({ join });
  }, [join, onRead]);
  return null;
}
