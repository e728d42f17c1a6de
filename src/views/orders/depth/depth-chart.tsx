import { countOf, formatCount } from '#domain/format/count.ts';
import type { DepthLevel, OrderDepth } from '#domain/orders/order-depth.ts';
import styles from '../orders.module.css';
import { toDepthArea, toDepthBox, toDepthPath } from './depth-path.ts';
import { formatLevelPrice } from '../figure-text.ts';

interface DepthChartProps {
  readonly depth: OrderDepth;
  readonly symbol: string;
  /** Fraction digits of prices. */
  readonly digits: number;
}

const SIZE = { width: 300, height: 96 } as const;

/** Cumulative steps: bids filled, asks outlined and dashed, so that the sides do not depend on colour. */
export function DepthChart({ depth, symbol, digits }: DepthChartProps) {
  const box = toDepthBox(depth, SIZE);
  const ends = toEnds(depth).map((level) => formatLevelPrice(level, digits));
  return (
    <div className={styles['depth']}>
      <span>{formatCount(box.most)} contracts</span>
      <svg viewBox={`0 0 ${String(SIZE.width)} ${String(SIZE.height)}`} role="img" aria-label={summarise(depth, symbol)} preserveAspectRatio="none">
        <path data-side="Bid" d={toDepthArea(toDepthPath(depth.bids, 'down', box), box)} />
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
