import type { Logical } from 'lightweight-charts';
import type { Attached, Canvas } from './layer.ts';

interface Steps {
  readonly values: readonly (number | null)[];
  readonly color: string;
  readonly dash: readonly number[];
  /** Filled from zero, as adjacent columns. */
  readonly filled: boolean;
}

/** Draws each value over the interval that ends at its time; the library’s steps would start there. */
export function drawSteps(
  { context }: Canvas,
  { chart, series }: Attached,
  { values, color, dash, filled }: Steps,
): void {
  // Thin lines are sharp at half pixels, columns at whole ones.
  const half = filled ? 0 : 0.5;
  const x = (index: number): number => Math.round(chart.timeScale().logicalToCoordinate(index as Logical) ?? 0) + half;
  const y = (value: number): number => Math.round(series.priceToCoordinate(value) ?? 0) + half;
  context.fillStyle = context.strokeStyle = color;
  context.lineWidth = 1;
  context.setLineDash([...dash]);
  context.beginPath();
  let isOpen = false;
  values.forEach((value, index) => {
    if (value === null) isOpen = false;
    else if (filled) context.fillRect(x(index - 1), y(0), Math.max(1, x(index) - x(index - 1) - 1), y(value) - y(0));
    else {
      context[isOpen ? 'lineTo' : 'moveTo'](x(index - 1), y(value));
      context.lineTo(x(index), y(value));
      isOpen = true;
    }
  });
  context.stroke();
  context.setLineDash([]);
}
