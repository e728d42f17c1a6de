import type { DepthLevel, OrderDepth } from '../../orders/order-depth.ts';

/**
 * The scale of a depth chart: its size in pixels, the price range in ticks, and the largest cumulative quantity in
 * contracts.
 */
export interface DepthBox {
  readonly width: number;
  readonly height: number;
  readonly least: number;
  readonly greatest: number;
  readonly most: number;
  /** Share of the width that lies beyond the outermost price on each side. */
  readonly beyond: number;
}

/** Returns the distance of a price from the left edge. Outside the chart it is below 0 or above the width. */
export function placeOf(ticks: number, { width, least, greatest }: DepthBox): number {
  return ((ticks - least) / (greatest - least)) * width;
}

/** Leaves space beyond the outermost prices, so that the deepest level, or a single one, shows as a step. */
export function toDepthBox(
  { bids, asks }: OrderDepth,
  { width, height }: Pick<DepthBox, 'width' | 'height'>,
): DepthBox {
  const levels = [...bids, ...asks];
  const ticks = levels.map((level) => level.ticks.toNumber());
  const [least, greatest] = [Math.min(...ticks), Math.max(...ticks)];
  const room = Math.max(1, (greatest - least) * ROOM);
  const most = Math.max(1, ...levels.map(({ cumulative }) => cumulative));
  return {
    width,
    height,
    least: least - room,
    greatest: greatest + room,
    most,
    beyond: room / (greatest - least + 2 * room),
  };
}

const ROOM = 0.05;

/** Draws steps from zero at the best price outwards to the edge; empty without levels. */
export function toDepthPath(levels: readonly DepthLevel[], outwards: 'down' | 'up', box: DepthBox): string {
  const { width, height, most } = box;
  const points = levels.map(({ ticks, cumulative }) => ({
    x: placeOf(ticks.toNumber(), box),
    y: height - (cumulative / most) * height,
  }));
  const [first] = points;
  if (first === undefined) return '';
  const edge = outwards === 'down' ? 0 : width;
  const steps = points.map(({ x, y }) => `H${x.toFixed(1)}V${y.toFixed(1)}`);
  return `M${first.x.toFixed(1)} ${height.toFixed(1)}${steps.join('')}H${edge.toFixed(1)}`;
}

/** Closes the steps into an area to fill. */
export function toDepthArea(path: string, { height }: DepthBox): string {
  return path === '' ? '' : `${path}V${height.toFixed(1)}Z`;
}
