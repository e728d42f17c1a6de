import { formatCount } from '#domain/format-count.ts';
import type { DepthLevel, OrderDepth } from '#domain/orders/order-depth.ts';
import styles from './orders.module.css';
import { toDepthBox, toDepthPath } from './depth-path.ts';

interface DepthChartProps {
  readonly depth: OrderDepth;
  readonly symbol: string;
}

const SIZE = { width: 300, height: 96 } as const;

/** Steps of what rests up to a price: bids filled, asks only outlined and dashed, so that colour is not needed. */
export function DepthChart({ depth, symbol }: DepthChartProps) {
  const box = toDepthBox(depth, SIZE);
  return (
    <svg className={styles['depth']} viewBox={`0 0 ${String(SIZE.width)} ${String(SIZE.height)}`} role="img" aria-label={summarise(depth, symbol)} preserveAspectRatio="none">
      <path data-side="Bid" d={toDepthPath(depth.bids, 'down', box)} />
      <path data-side="Ask" d={toDepthPath(depth.asks, 'up', box)} />
    </svg>
  );
}

function summarise({ bids, asks }: OrderDepth, symbol: string): string {
  return `${symbol}: ${describe('bid', bids)}; ${describe('ask', asks)}. The table below has the figures.`;
}

function describe(side: string, levels: readonly DepthLevel[]): string {
  const total = levels.at(-1)?.cumulative ?? 0;
  return `${formatCount(total)} contracts ${side} at ${String(levels.length)} prices`;
}
