import type { Logical } from 'lightweight-charts';
import { createLayer, type Attached, type Canvas, type Layer } from './layer.ts';
import type { PointValue } from './picture.ts';

/** What is drawn over a pane: stretches without data, and marks that are no part of a line. */
interface OverlayContent {
  /** Ends, by their place, of intervals of which there are no data. */
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

function hatch({ context, mediaSize: { height } }: Canvas, { chart }: Attached, { hatched, hatch: ink }: OverlayContent): void {
  const time = chart.timeScale();
  context.strokeStyle = ink;
  context.lineWidth = 1;
  for (const [first, last] of toStretches(hatched)) {
    const [from, to] = [time.logicalToCoordinate((first - 1) as Logical), time.logicalToCoordinate(last as Logical)];
    if (from === null || to === null) continue;
    // However far out it is looked at, a stretch without data stays to be seen.
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

/** Neighbours are hatched as one. */
function toStretches(places: readonly number[]): readonly (readonly [first: number, last: number])[] {
  const stretches: [number, number][] = [];
  for (const place of places) {
    const open = stretches.at(-1);
    if (open !== undefined && place === open[1] + 1) open[1] = place;
    else stretches.push([place, place]);
  }
  return stretches;
}

/** A hollow diamond: no line leads to it. */
function outline({ context }: Canvas, { chart, series }: Attached, { outlined, outline: ink, background }: OverlayContent): void {
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
