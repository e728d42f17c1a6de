import type { Ink } from '#model/charts/chart-data.ts';
import type { CurveLayout, PlacedPoint } from './lay-out-curve.ts';

/** Colours and font, from the page's design tokens. */
export interface CurveColours {
  readonly of: (ink: Ink | 'text' | 'line' | 'background' | 'line-strong') => string;
  readonly font: string;
}

/** Computes the colours with a probe element, because a canvas cannot resolve `var()`. */
export function readCurveColours(host: HTMLElement): CurveColours {
  const known = new Map<string, string>();
  return {
    of: (name) => {
      const color = known.get(name) ?? compute(host, name);
      known.set(name, color);
      return color;
    },
    font: `11px ${getComputedStyle(host).fontFamily}`,
  };
}

function compute(host: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const DOT = 4;
const DIAMOND = 5.5;
const SQUARE = 3.5;
const RING = 8;
const DASHES = { solid: [], dashed: [6, 4], dotted: [2, 3] } as const;

/** Paints curves: the newest last, over the others. `ratio` is the number of device pixels per CSS pixel. */
export function paintCurve(
  canvas: HTMLCanvasElement,
  layout: CurveLayout,
  colours: CurveColours,
  pointed: PlacedPoint | null,
): void {
  const ratio = devicePixelRatio;
  canvas.width = Math.round(layout.width * ratio);
  canvas.height = Math.round(layout.height * ratio);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.scale(ratio, ratio);
  context.fillStyle = colours.of('background');
  context.fillRect(0, 0, layout.width, layout.height);
  paintAxes(context, layout, colours);
  for (const [index, { runs, points, ink, stroke }] of [...layout.curves.entries()].toReversed()) {
    const color = colours.of(ink);
    context.strokeStyle = color;
    context.lineWidth = index === 0 ? 2 : 1.5;
    context.setLineDash(DASHES[stroke]);
    for (const run of runs) {
      context.beginPath();
      for (const { x, y } of run) context.lineTo(x, y);
      context.stroke();
    }
    context.setLineDash([]);
    context.lineWidth = 1.5;
    for (const point of points)
      if (index === 0 || point.row.kind !== 'constant')
        paintPoint(context, point, {
          fill: index === 0 ? color : colours.of('background'),
          hollow: colours.of('background'),
        });
  }
  if (pointed === null) return;
  context.strokeStyle = colours.of('text');
  context.beginPath();
  context.arc(pointed.x, pointed.y, RING, 0, 2 * Math.PI);
  context.stroke();
}

/** A month is a dot, the perpetual a diamond, a constant maturity a hollow square. */
function paintPoint(
  context: CanvasRenderingContext2D,
  { x, y, row: { kind } }: PlacedPoint,
  { fill, hollow }: { readonly fill: string; readonly hollow: string },
): void {
  context.beginPath();
  if (kind === 'month') context.arc(x, y, DOT, 0, 2 * Math.PI);
  else if (kind === 'constant') context.rect(x - SQUARE, y - SQUARE, 2 * SQUARE, 2 * SQUARE);
  else
    for (const [dx, dy] of [
      [0, -1],
      [1, 0],
      [0, 1],
      [-1, 0],
    ] as const)
      context.lineTo(x + dx * DIAMOND, y + dy * DIAMOND);
  context.closePath();
  context.fillStyle = kind === 'month' ? fill : hollow;
  context.fill();
  context.stroke();
}

function paintAxes(context: CanvasRenderingContext2D, layout: CurveLayout, colours: CurveColours): void {
  const { plot, values, days, months } = layout;
  context.font = colours.font;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  for (const { at, text } of values) {
    // Lines of one pixel are sharp at half pixels.
    const y = Math.round(at) + 0.5;
    context.strokeStyle = colours.of(/^0(?:\.0+)?(?: %)?$/.test(text) ? 'line-strong' : 'line');
    strokeLine(context, [plot.left, y], [plot.right, y]);
    context.fillStyle = colours.of('muted');
    context.fillText(text, plot.left - 8, at);
  }
  context.textAlign = 'center';
  for (const { at, text } of days) {
    context.fillStyle = colours.of('faint');
    context.fillText(text, at, plot.bottom + 30);
    context.strokeStyle = colours.of('line-strong');
    strokeLine(context, [Math.round(at) + 0.5, plot.bottom], [Math.round(at) + 0.5, plot.bottom + 5]);
  }
  context.fillStyle = colours.of('text');
  for (const { at, text } of months) context.fillText(text, at, plot.bottom + 15);
}

type Point = readonly [x: number, y: number];

function strokeLine(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}
