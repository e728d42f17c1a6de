import type { DepthLevel, OrderDepth } from '#domain/orders/order-depth.ts';

/** What a depth chart is drawn in: pixels, the range of ticks, and the most contracts. */
export interface DepthBox {
  readonly width: number;
  readonly height: number;
  readonly least: number;
  readonly greatest: number;
  readonly most: number;
  /** The part of the width that lies beyond the outermost price, on either side. */
  readonly beyond: number;
}

/** The deepest level of a side is a step like the others, and one price alone is one too: there is room beyond them. */
export function toDepthBox({ bids, asks }: OrderDepth, { width, height }: Pick<DepthBox, 'width' | 'height'>): DepthBox {
  const levels = [...bids, ...asks];
  const ticks = levels.map((level) => level.ticks.toNumber());
  const [least, greatest] = [Math.min(...ticks), Math.max(...ticks)];
  const room = Math.max(1, (greatest - least) * ROOM);
  const most = Math.max(1, ...levels.map(({ cumulative }) => cumulative));
  return { width, height, least: least - room, greatest: greatest + room, most, beyond: room / (greatest - least + 2 * room) };
}

const ROOM = 0.05;

/** A flight of steps from the ground at the best price outwards, which ends at its top: nothing falls at the last price. Empty where there is no level. */
export function toDepthPath(levels: readonly DepthLevel[], outwards: 'down' | 'up', { width, height, least, greatest, most }: DepthBox): string {
  const points = levels.map(({ ticks, cumulative }) => ({
    x: ((ticks.toNumber() - least) / (greatest - least)) * width,
    y: height - (cumulative / most) * height,
  }));
  const [first] = points;
  if (first === undefined) return '';
  const edge = outwards === 'down' ? 0 : width;
  const steps = points.map(({ x, y }) => `H${x.toFixed(1)}V${y.toFixed(1)}`);
  return `M${first.x.toFixed(1)} ${height.toFixed(1)}${steps.join('')}H${edge.toFixed(1)}`;
}

/** What lies below a flight of steps, to be filled. */
export function toDepthArea(path: string, { height }: DepthBox): string {
  return path === '' ? '' : `${path}V${height.toFixed(1)}Z`;
}
