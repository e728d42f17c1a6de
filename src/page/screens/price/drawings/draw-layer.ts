import type { Logical } from 'lightweight-charts';
import type { DrawingKind } from '#model/charts/drawings/drawing.ts';
import type { Box, Point, Shape } from '#model/charts/drawings/find-hit.ts';
import type { ChartHandle } from '#page/kit/chart/chart-input.ts';
import type { Attached, AxisLabel, Canvas } from '#page/kit/chart/layers.ts';

/** A drawing as it is painted. */
export interface PaintedDrawing {
  readonly id: string;
  readonly kind: DrawingKind;
  readonly bars: readonly number[];
  /** In the units of the price axis. */
  readonly levels: readonly number[];
  /** Beside its last point, a line each. */
  readonly label: readonly string[];
  /** At the axis; empty for none. */
  readonly price: string;
}

/** The drawings that the pointer or the keys have to do with, by ID. */
export interface Marked {
  readonly hovered: string | null;
  readonly selected: string | null;
}

export interface Painting {
  readonly drawings: readonly PaintedDrawing[];
  readonly marked: Marked;
  readonly colorOf: ChartHandle['colorOf'];
  /** Called with where the drawings lie, whenever they are painted. */
  readonly onPainted: (shapes: readonly Shape[]) => void;
}

const DOT = 3;
const HANDLE = 4;
const LINE = 16;
const PADDING = 4;
const FONT_SIZE = 11;

export function toAxisLabels({ drawings, colorOf }: Painting): readonly AxisLabel[] {
  return drawings.flatMap(({ price, levels }) =>
    price === ''
      ? []
      : [{ value: levels[0] ?? 0, text: price, color: colorOf('background'), background: colorOf('accent') }],
  );
}

export function paint(canvas: Canvas, { chart, series }: Attached, painting: Painting): void {
  const { drawings, marked, colorOf, onPainted } = painting;
  const { context } = canvas;
  context.font = `${String(FONT_SIZE)}px ${chart.options().layout.fontFamily}`;
  context.strokeStyle = colorOf('accent');
  const shapes = drawings.map((drawing) => ({
    drawing,
    points: drawing.levels.map((level, index): Point => [
      chart.timeScale().logicalToCoordinate((drawing.bars[index] ?? 0) as Logical) ?? 0,
      series.priceToCoordinate(level) ?? 0,
    ]),
  }));
  for (const { drawing, points } of shapes) {
    const isMarked = drawing.id === marked.hovered || drawing.id === marked.selected;
    context.lineWidth = isMarked ? 2 : 1;
    context.fillStyle = colorOf('accent');
    paintShape(canvas, drawing, points);
    if (drawing.id === marked.selected) paintHandles(canvas, toHandles(canvas, drawing, points), colorOf);
  }
  context.lineWidth = 1;
  const labels = new Map<PaintedDrawing, Label>();
  // The newest keeps its place, and earlier ones give way.
  for (const { drawing, points } of shapes.toReversed()) {
    const last = points.at(-1);
    if (last !== undefined && drawing.label.length > 0)
      labels.set(drawing, toLabel(canvas, drawing.label, last, [...labels.values()]));
  }
  for (const label of [...labels.values()].toReversed()) paintLabel(context, label, colorOf);
  onPainted(
    shapes.map(({ drawing, points }) => {
      const { id, kind } = drawing;
      return { id, kind, points, label: labels.get(drawing) ?? null };
    }),
  );
}

/** A horizontal line has its handle in the middle, since the session at which it was placed may be out of view. */
function toHandles(
  { mediaSize: { width } }: Canvas,
  { kind }: PaintedDrawing,
  points: readonly Point[],
): readonly Point[] {
  return kind === 'level' ? points.map(([, y]) => [width / 2, y]) : points;
}

function paintHandles({ context }: Canvas, handles: readonly Point[], colorOf: Painting['colorOf']): void {
  context.fillStyle = colorOf('background');
  for (const [x, y] of handles) {
    context.beginPath();
    context.arc(x, y, HANDLE, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }
}

function paintShape(canvas: Canvas, { kind }: PaintedDrawing, points: readonly Point[]): void {
  const { context, mediaSize } = canvas;
  const [first, second = first] = points;
  if (first === undefined || second === undefined) return;
  if (kind === 'level') {
    const y = Math.round(first[1]) + (context.lineWidth % 2) / 2;
    strokeLine(context, [0, y], [mediaSize.width, y]);
    return;
  }
  if (kind === 'measure') {
    context.globalAlpha = 0.12;
    context.fillRect(first[0], first[1], second[0] - first[0], second[1] - first[1]);
    context.globalAlpha = 1;
  }
  if (kind === 'trend') extend(canvas, first, second);
  strokeLine(context, first, second);
  for (const [x, y] of points) {
    context.beginPath();
    context.arc(x, y, DOT, 0, 2 * Math.PI);
    context.fill();
  }
}

/** Continues a line to the right end of the pane, dashed. */
function extend({ context, mediaSize: { width } }: Canvas, first: Point, second: Point): void {
  if (second[0] <= first[0] || second[0] >= width) return;
  const slope = (second[1] - first[1]) / (second[0] - first[0]);
  context.setLineDash([4, 4]);
  strokeLine(context, second, [width, second[1] + slope * (width - second[0])]);
  context.setLineDash([]);
}

function strokeLine(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}

interface Label extends Box {
  readonly lines: readonly string[];
}

/** A label that takes more than this share of the pane is broken into a line for each figure. */
const WIDEST = 0.6;

/** Returns the box of a label beside a point, on the side that has room, and below others in its place. */
function toLabel(
  { context, mediaSize }: Canvas,
  text: readonly string[],
  [x, y]: Point,
  others: readonly Label[],
): Label {
  const lines = text.flatMap((line) =>
    context.measureText(line).width > WIDEST * mediaSize.width ? line.split(' · ') : [line],
  );
  const width = Math.max(...lines.map((line) => context.measureText(line).width)) + 2 * PADDING;
  const height = lines.length * LINE + PADDING;
  const start = x + 2 * DOT + width > mediaSize.width ? Math.max(0, x - 2 * DOT - width) : x + 2 * DOT;
  const label = {
    lines,
    left: Math.round(start) + 0.5,
    top: Math.round(Math.max(y - height - DOT, 0)) + 0.5,
    width,
    height,
  };
  const { top } = others.reduce<Label>(
    (placed, other) => (overlap(placed, other) ? { ...placed, top: other.top + other.height + 2 } : placed),
    label,
  );
  return { ...label, top: Math.min(top, Math.floor(mediaSize.height - height) - 0.5) };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height;
}

function paintLabel(
  context: CanvasRenderingContext2D,
  { lines, left, top, width, height }: Label,
  colorOf: Painting['colorOf'],
): void {
  context.fillStyle = colorOf('background');
  context.fillRect(left, top, width, height);
  context.strokeRect(left, top, width, height);
  context.fillStyle = colorOf('muted');
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  lines.forEach((line, index) => {
    context.fillText(line, left + PADDING, top + PADDING / 2 + LINE * (index + 0.5));
  });
}
