import { useEffect, useMemo, useState } from 'react';
import type { FigureJoin } from '#model/curve/market-figures.ts';
import type { MarketRow } from '#model/markets/market-rows.ts';
import { type LaterFigureName, PRICE_CHANGES } from '#model/markets/price-change-names.ts';
import { lazy } from '#page/kit/lazy.tsx';
import { EarlierPrices } from './earlier-prices.tsx';

const CurveFigures = lazy(async () => (await import('./curve-figures.tsx')).CurveFigures);

interface LaterFiguresProps {
  readonly rows: readonly MarketRow[];
  readonly wanted: readonly LaterFigureName[];
  readonly onRead: (later: { readonly join: FigureJoin }) => void;
}

const NOTHING: { readonly join: FigureJoin } = { join: (rows) => rows };

/** Reads what the wanted figures need. The code for a month against its perpetual loads only if that is wanted. */
export function LaterFigures({ rows, wanted, onRead }: LaterFiguresProps) {
  const changes = useMemo(() => PRICE_CHANGES.filter((name) => wanted.includes(name)), [wanted]);
  const [earlier, setEarlier] = useState(NOTHING);
  const [curves, setCurves] = useState(NOTHING);
  const join = useMemo((): FigureJoin => (all) => curves.join(earlier.join(all)), [curves, earlier]);
  useEffect(() => {
    onRead({ join });
  }, [join, onRead]);
  return (
    <>
      {changes.length > 0 && <EarlierPrices rows={rows} wanted={changes} onRead={setEarlier} />}
      {changes.length < wanted.length && <CurveFigures rows={rows} onRead={setCurves} />}
    </>
  );
}
