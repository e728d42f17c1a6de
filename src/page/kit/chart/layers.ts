import type { ISeriesPrimitive, ISeriesPrimitiveAxisView, Logical, SeriesAttachedParameter } from 'lightweight-charts';
import type { Outlier, PointValue } from '#model/charts/chart-data.ts';

/** Custom drawing over a series, updated along with it. */
export interface Layer<Content> {
  readonly primitive: ISeriesPrimitive;
  readonly show: (content: Content) => void;
}

type Renderer = NonNullable<ReturnType<ReturnType<NonNullable<ISeriesPrimitive['paneViews']>>[number]['renderer']>>;
type Target = Parameters<Renderer['draw']>[0];
export type Canvas = Parameters<Parameters<Target['useMediaCoordinateSpace']>[0]>[0];
export type Attached = Pick<SeriesAttachedParameter, 'chart' | 'series' | 'requestUpdate'>;

/** A price that is named at the axis. */
export interface AxisLabel {
  readonly value: number;
  readonly text: string;
  readonly color: string;
  readonly background: string;
}

export function createLayer<Content>(
  draw: (canvas: Canvas, attached: Attached, content: Content) => void,
  toLabels: (content: Content) => readonly AxisLabel[] = () => [],
): Layer<Content> {
  let attached: Attached | null = null;
  let content: Content | null = null;
  let labels: readonly ISeriesPrimitiveAxisView[] = [];
  const toView = ({ value, text, color, background }: AxisLabel): ISeriesPrimitiveAxisView => ({
    coordinate: () => attached?.series.priceToCoordinate(value) ?? 0,
    text: () => text,
    textColor: () => color,
    backColor: () => background,
  });
  const renderer: Renderer = {
    draw: (target) => {
      target.useMediaCoordinateSpace((canvas) => {
        if (attached !== null && content !== null) draw(canvas, attached, content);
      });
    },
  };
  const views = [{ renderer: () => renderer }];
  return {
    primitive: {
      attached: (to: SeriesAttachedParameter) => {
        attached = to;
      },
      paneViews: () => views,
      priceAxisViews: () => labels,
    },
    show: (next) => {
      content = next;
      labels = toLabels(next).map(toView);
      attached?.requestUpdate();
    },
  };
}

const TITLE_PX = 11;
const TITLE_PADDING = 4;

interface Title {
  readonly text: string;
  readonly color: string;
  readonly background: string;
}

/** Names a pane at its top left, over its series. */
export function drawTitle({ context }: Canvas, { chart }: Attached, { text, color, background }: Title): void {
  context.font = `${String(TITLE_PX)}px ${chart.options().layout.fontFamily}`;
  context.textAlign = 'left';
  context.textBaseline = 'top';
  context.fillStyle = background;
  context.fillRect(0, 0, context.measureText(text).width + 2 * TITLE_PADDING, TITLE_PX + TITLE_PADDING);
  context.fillStyle = color;
  context.fillText(text, TITLE_PADDING, TITLE_PADDING / 2);
}

interface Steps {
  readonly values: readonly (number | null)[];
  readonly color: string;
  readonly dash: readonly number[];
  /** Whether the steps are filled from zero, as adjacent columns. */
  readonly filled: boolean;
}

/** Draws each value over the interval that ends at its time; the library’s steps would begin there. */
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

/** The width of a tick as a share of its bar’s. A candle is narrower, so the tick shows on both sides of it. */
const TICK_SHARE = 0.95;
/** In narrower bars, ticks would cover the candles. */
const LEAST_TICK_PX = 3;

/** Draws a tick across the bar of each value. */
export function drawTicks(
  { context }: Canvas,
  { chart, series }: Attached,
  values: readonly (number | null)[],
  color: string,
): void {
  const x = (index: number): number => chart.timeScale().logicalToCoordinate(index as Logical) ?? 0;
  const width = (x(1) - x(0)) * TICK_SHARE;
  if (width < LEAST_TICK_PX) return;
  context.fillStyle = color;
  values.forEach((value, index) => {
    if (value !== null)
      context.fillRect(x(index) - width / 2, Math.round(series.priceToCoordinate(value) ?? 0), width, 1);
  });
}

const SIZE = 4;

/** Finds values with a gap on both sides, which would be invisible in a line without a dot. */
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

/** The marks drawn over a pane: periods without data, and marks that belong to no line. */
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
const DIAMOND = 5;

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

/** Joins adjacent intervals, so that they are hatched as one. */
function toRuns(indices: readonly number[]): readonly (readonly [first: number, last: number])[] {
  const runs: [number, number][] = [];
  for (const index of indices) {
    const open = runs.at(-1);
    if (open !== undefined && index === open[1] + 1) open[1] = index;
    else runs.push([index, index]);
  }
  return runs;
}

/** Draws a hollow diamond at each point. */
function outline(
  { context }: Canvas,
  { chart, series }: Attached,
  { outlined, outline: ink, background }: OverlayContent,
): void {
  for (const { index, value } of outlined) {
    const [x, y] = [chart.timeScale().logicalToCoordinate(index as Logical), series.priceToCoordinate(value)];
    if (x === null || y === null) continue;
    context.beginPath();
    context.moveTo(x, y - DIAMOND);
    context.lineTo(x + DIAMOND, y);
    context.lineTo(x, y + DIAMOND);
    context.lineTo(x - DIAMOND, y);
    context.closePath();
    context.fillStyle = background;
    context.fill();
    context.strokeStyle = ink;
    context.lineWidth = 1.5;
    context.stroke();
  }
}

/** Half the size of a cross. */
const CROSS = 3.5;

/**
 * Draws a cross at each price, and a dashed line to it from its candle. If the price is beyond the scale, the cross is
 * at the edge of the pane.
 */
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
    const y = Math.min(Math.max(end, 2 * CROSS), height - 2 * CROSS);
    context.lineWidth = 1;
    context.setLineDash([2, 3]);
    strokeLine(context, [x, start], [x, y]);
    context.setLineDash([]);
    context.lineWidth = 1.5;
    strokeLine(context, [x - CROSS, y - CROSS], [x + CROSS, y + CROSS]);
    strokeLine(context, [x - CROSS, y + CROSS], [x + CROSS, y - CROSS]);
  }
}

/** Draws a dashed line across the pane at each bar. */
export function drawMarked(
  { context, mediaSize: { height } }: Canvas,
  { chart }: Attached,
  marked: readonly number[],
  color: string,
): void {
  context.strokeStyle = color;
  context.lineWidth = 1;
  context.setLineDash([4, 4]);
  for (const index of marked) {
    const x = chart.timeScale().logicalToCoordinate(index as Logical);
    if (x !== null) strokeLine(context, [Math.round(x) + 0.5, 0], [Math.round(x) + 0.5, height]);
  }
  context.setLineDash([]);
}

type Point = readonly [x: number, y: number];

function strokeLine(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
}
