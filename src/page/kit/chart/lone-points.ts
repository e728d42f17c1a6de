import type { Logical } from 'lightweight-charts';
import type { Attached, Canvas } from './layer.ts';
import type { PointValue } from '#model/charts/picture.ts';

const SIZE = 4;

/** Values with a gap on either side: without a dot they would be invisible in a line. */
export function findLonePoints(values: readonly (number | null)[]): readonly PointValue[] {
  const isGap = (index: number): boolean => (values[index] ?? null) === null;
  return values.flatMap((value, index) =>
    value !== null && isGap(index - 1) && isGap(index + 1) ? [{ index, value }] : [],
  );
}

export function drawDots(
  { context }: Canvas,
  { chart, series }: Attached,
  points: readonly PointValue[],
  color: string,
): void {
  context.fillStyle = color;
  for (const { index, value } of points) {
    const [x, y] = [chart.timeScale().logicalToCoordinate(index as Logical), series.priceToCoordinate(value)];
    if (x !== null && y !== null) context.fillRect(x - SIZE / 2, y - SIZE / 2, SIZE, SIZE);
  }
}
