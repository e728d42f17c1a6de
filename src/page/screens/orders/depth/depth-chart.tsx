import { countOf, formatCount } from '#model/format/count.ts';
import type { DepthLevel, OrderDepth } from '#model/orders/order-depth.ts';
import type { MarketPrice } from '#model/orders/market-price.ts';
import styles from '../shared/orders.module.css';
import { placeOf, toDepthArea, toDepthBox, toDepthPath, type DepthBox } from '#model/charts/orders/depth-path.ts';
import { formatLevelPrice } from '#model/tables/orders/figure-text.ts';

interface DepthChartProps {
  readonly depth: OrderDepth;
  readonly symbol: string;
  /** Fraction digits of prices. */
  readonly digits: number;
  readonly market: MarketPrice | null;
}

const SIZE = { width: 300, height: 96 } as const;

/** Cumulative steps: bids filled, asks outlined and dashed, so that the sides do not depend on colour. */
export function DepthChart({ depth, symbol, digits, market }: DepthChartProps) {
  if (depth.bids.length + depth.asks.length === 0) return <p className={styles['quiet']}>No orders at these prices.</p>;
  const box = toDepthBox(depth, SIZE);
  const ends = toEnds(depth).map((level) => formatLevelPrice(level, digits));
  return (
    <div className={styles['depth']}>
      <span>{formatCount(box.most)} contracts</span>
      <svg
        viewBox={`0 0 ${String(SIZE.width)} ${String(SIZE.height)}`}
        role="img"
        aria-label={summarise(depth, symbol)}
        preserveAspectRatio="none"
      >
        <path data-side="Bid" d={toDepthArea(toDepthPath(depth.bids, 'down', box), box)} />
        <MarketLine market={market} box={box} />
        <path data-side="Ask" d={toDepthPath(depth.asks, 'up', box)} />
      </svg>
      <div className={styles['ends']} style={{ paddingInline: `${String(box.beyond * 100)}%` }}>
        {ends.map((price) => (
          <span key={price}>{price}</span>
        ))}
      </div>
    </div>
  );
}

/** The market price, where it is within the chart. */
function MarketLine({ market, box }: { readonly market: MarketPrice | null; readonly box: DepthBox }) {
  const x = placeOf(market?.ticks ?? -Infinity, box);
  return x < 0 || x > box.width ? null : <path data-market="" d={`M${x.toFixed(1)} 0V${box.height.toFixed(1)}`} />;
}

/** The lowest and the highest price. */
function toEnds({ bids, asks }: OrderDepth): readonly DepthLevel[] {
  const levels = [...bids, ...asks].sort((a, b) => a.ticks.comparedTo(b.ticks));
  return levels.length > 1 ? [...levels.slice(0, 1), ...levels.slice(-1)] : levels;
}

function summarise({ bids, asks }: OrderDepth, symbol: string): string {
  return `${symbol}: ${describe('bid', bids)}; ${describe('ask', asks)}. The figures are in the table below.`;
}

function describe(side: string, levels: readonly DepthLevel[]): string {
  const total = levels.at(-1)?.cumulative ?? 0;
  return `${countOf(total, 'contract')} ${side} at ${countOf(levels.length, 'price')}`;
}
