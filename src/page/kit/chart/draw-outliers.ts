import type { Logical } from 'lightweight-charts';
import type { Outlier } from '#model/charts/picture.ts';
import type { Attached, Canvas } from './layer.ts';

/** Half the size of a mark. */
const MARK = 3.5;

/** A cross at each price, and a dashed line to it from its candle; at the edge of the pane where the price is beyond the scale. */
export function drawOutliers(
  { context, mediaSize: { height } }: Canvas,
  { chart, series }: Attached,
  points: readonly Outlier[],
  color: string,
): void {
  context.strokeStyle = color;
  for (const { index, from, value } of points) {
    const [x, start, end] = [
      chart.timeScale().logicalToCoordinate(index as Logical),
      series.priceToCoordinate(from),
      series.priceToCoordinate(value),
    ];
    if (x === null || start === null || end === null) continue;
    const y = Math.min(Math.max(end, 2 * MARK), height - 2 * MARK);
    context.lineWidth = 1;
    context.setLineDash([2, 3]);
    strokeLine(context, [x, start], [x, y]);
    context.setLineDash([]);
    context.lineWidth = 1.5;
    strokeLine(context, [x - MARK, y - MARK], [x + MARK, y + MARK]);
    strokeLine(context, [x - MARK, y + MARK], [x + MARK, y - MARK]);
  }
}

type Point = readonly [x: number, y: number];

function strokeLine(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}
