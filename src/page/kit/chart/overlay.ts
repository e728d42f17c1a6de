import type { Logical } from 'lightweight-charts';
import { createLayer, type Attached, type Canvas, type Layer } from './layer.ts';
import type { PointValue } from '#model/charts/picture.ts';

/** Drawn over a pane: periods without data, and marks that belong to no line. */
interface OverlayContent {
  /** Indices of the ends of intervals without data. */
  readonly hatched: readonly number[];
  readonly outlined: readonly PointValue[];
  readonly hatch: string;
  readonly outline: string;
  readonly background: string;
}

export type Overlay = Layer<OverlayContent>;

const STRIPE = 6;
const MARK = 5;

export function createOverlay(): Overlay {
  return createLayer((canvas, attached, content) => {
    hatch(canvas, attached, content);
    outline(canvas, attached, content);
  });
}

function hatch(
  { context, mediaSize: { height } }: Canvas,
  { chart }: Attached,
  { hatched, hatch: ink }: OverlayContent,
): void {
  const time = chart.timeScale();
  context.strokeStyle = ink;
  context.lineWidth = 1;
  for (const [first, last] of toRuns(hatched)) {
    const [from, to] = [time.logicalToCoordinate((first - 1) as Logical), time.logicalToCoordinate(last as Logical)];
    if (from === null || to === null) continue;
    // At least 2 px wide, so that it stays visible at any zoom.
    const [left, right] = [Math.min(from, to - 2), to];
    context.save();
    context.beginPath();
    context.rect(left, 0, right - left, height);
    context.clip();
    context.beginPath();
    for (let x = Math.floor((left - height) / STRIPE) * STRIPE; x < right; x += STRIPE) {
      context.moveTo(x, height);
      context.lineTo(x + height, 0);
    }
    context.stroke();
    context.restore();
  }
}

/** Adjacent intervals are hatched as one. */
function toRuns(indices: readonly number[]): readonly (readonly [first: number, last: number])[] {
  const runs: [number, number][] = [];
  for (const index of indices) {
    const open = runs.at(-1);
    if (open !== undefined && index === open[1] + 1) open[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}

/** A hollow diamond. */
function outline(
  { context }: Canvas,
  { chart, series }: Attached,
  { outlined, outline: ink, background }: OverlayContent,
): void {
  for (const { index, value } of outlined) {
    const [x, y] = [chart.timeScale().logicalToCoordinate(index as Logical), series.priceToCoordinate(value)];
    if (x === null || y === null) continue;
    context.beginPath();
    context.moveTo(x, y - MARK);
    context.lineTo(x + MARK, y);
    context.lineTo(x, y + MARK);
    context.lineTo(x - MARK, y);
    context.closePath();
    context.fillStyle = background;
    context.fill();
    context.strokeStyle = ink;
    context.lineWidth = 1.5;
    context.stroke();
  }
}
