import { useMemo } from 'react';
import { countOf } from '#model/format/count.ts';
import type { MarketPrice } from '#model/orders/market-price.ts';
import { withinOf, type OrderDepth } from '#model/orders/order-depth.ts';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import styles from '../shared/orders.module.css';
import { scaleParam, type DepthScale } from '../shared/url-params.ts';
import { DepthChart } from './depth-chart.tsx';

const SCALES: readonly (readonly [DepthScale, string])[] = [
  ['5', 'Within 5 %'],
  ['20', 'Within 20 %'],
  ['all', 'All'],
];

interface ScaledDepthChartProps {
  readonly depth: OrderDepth;
  readonly symbol: string;
  readonly digits: number;
  readonly market: MarketPrice | null;
}

/** A depth chart that reaches as far from the market as chosen: one far order would squeeze all others together. */
export function ScaledDepthChart({ depth, market, ...names }: ScaledDepthChartProps) {
  const [scale, setScale] = useUrlState(scaleParam);
  const centre = market?.ticks ?? 0;
  const part = useMemo(
    () => (scale === 'all' || centre <= 0 ? { ...depth, beyond: 0 } : withinOf(depth, centre, Number(scale) / 100)),
    [depth, centre, scale],
  );
  if (market === null || centre <= 0) return <DepthChart depth={depth} market={null} {...names} />;
  return (
    <>
      <Segmented label="Prices in the chart" choices={SCALES} value={scale} onChange={setScale} />
      <DepthChart depth={part} market={market} {...names} />
      <p className={styles['caption']}>
        The vertical line is the {market.is}.
        {part.beyond > 0 &&
          ` ${countOf(part.beyond, 'order')} further than ${scale} % from it ${part.beyond === 1 ? 'is' : 'are'} not in the chart, but in the table.`}
      </p>
    </>
  );
}
