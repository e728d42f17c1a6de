import type { Logical } from 'lightweight-charts';
import { createLayer, type Attached, type Canvas, type Layer } from './layer.ts';
import type { PointValue } from './picture.ts';

interface LonePoints {
  readonly points: readonly PointValue[];
  readonly color: string;
}

const SIZE = 4;

/** Values with a gap on either side: no line leads to them, and without a dot they would not be seen. */
export function findLonePoints(values: readonly (number | null)[]): readonly PointValue[] {
  const isGap = (index: number): boolean => (values[index] ?? null) === null;
  return values.flatMap((value, index) => (value !== null && isGap(index - 1) && isGap(index + 1) ? [{ index, value }] : []));
}

export function createLonePoints(): Layer<LonePoints> {
  return createLayer(drawDots);
}

function drawDots({ context }: Canvas, { chart, series }: Attached, { points, color }: LonePoints): void {
  context.fillStyle = color;
  for (const { index, value } of points) {
    const [x, y] = [chart.timeScale().logicalToCoordinate(index as Logical), series.priceToCoordinate(value)];
    if (x !== null && y !== null) context.fillRect(x - SIZE / 2, y - SIZE / 2, SIZE, SIZE);
  }
}
