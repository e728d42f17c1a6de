import type { DepthLevel } from '#domain/orders/order-depth.ts';

/** What a depth chart is drawn in: pixels, the range of ticks, and the most contracts. */
export interface DepthBox {
  readonly width: number;
  readonly height: number;
  readonly least: number;
  readonly greatest: number;
  readonly most: number;
}

/** A flight of steps from the best price outwards, closed at the ground. Empty where there is no level. */
export function toDepthPath(levels: readonly DepthLevel[], outwards: 'down' | 'up', { width, height, least, greatest, most }: DepthBox): string {
  const range = Math.max(1, greatest - least);
  const points = levels.map(({ ticks, cumulative }) => ({
    x: ((ticks.toNumber() - least) / range) * width,
    y: height - (cumulative / most) * height,
  }));
  const [first] = points;
  if (first === undefined) return '';
  const edge = outwards === 'down' ? 0 : width;
  const steps = points.map(({ x, y }) => `H${x.toFixed(1)}V${y.toFixed(1)}`);
  return `M${first.x.toFixed(1)} ${height.toFixed(1)}${steps.join('')}H${edge.toFixed(1)}V${height.toFixed(1)}Z`;
}
