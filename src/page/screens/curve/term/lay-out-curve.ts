import type { Ink } from '#model/charts/chart-data.ts';
import { type CurveDay, toPlotted } from '#model/curve/curve-days.ts';
import { MINUTES_OF_DAY } from '#model/basis/basis.ts';
import type { CurveMetric } from '#model/curve/curve-params.ts';
import type { CurveRow } from '#model/curve/curve-rows.ts';

/** A curve as drawn. */
export interface DrawnCurve {
  readonly day: CurveDay;
  readonly name: string;
  readonly ink: Ink;
  readonly stroke: 'solid' | 'dashed' | 'dotted';
}

/** A point that can be drawn. Its place is in CSS pixels. */
export interface PlacedPoint {
  readonly row: CurveRow;
  readonly x: number;
  readonly y: number;
}

interface PlacedCurve extends DrawnCurve {
  readonly points: readonly PlacedPoint[];
  /** Runs of months without a gap between them. */
  readonly runs: readonly (readonly PlacedPoint[])[];
}

interface Tick {
  readonly at: number;
  readonly text: string;
}

export interface CurveLayout {
  readonly width: number;
  readonly height: number;
  readonly plot: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  readonly curves: readonly PlacedCurve[];
  readonly values: readonly Tick[];
  readonly days: readonly Tick[];
  /** Expiries of the newest curve whose names do not overlap. */
  readonly months: readonly Tick[];
}

interface LayoutInputs {
  /** The newest first. */
  readonly curves: readonly DrawnCurve[];
  readonly metric: CurveMetric;
  readonly width: number;
  readonly height: number;
}

const MARGIN = { top: 14, right: 18, bottom: 40, left: 8 };
const LETTER = 6.6;
const VALUE_STEP = 48;
const DAY_STEP = 70;
/** The room of a month's name. */
const NAME_ROOM = 30;

/** Places the points of curves on a plane of time to expiry, to the minute, and of a figure. */
export function layOutCurve({ curves, metric, width, height }: LayoutInputs): CurveLayout {
  const plotted = curves.map(({ day: { rows } }) => {
    const figures = toPlotted(rows, metric);
    return rows.map((row, index) => ({ row, minutes: row.minutes, value: figures[index] ?? null }));
  });
  const all = plotted.flat().flatMap(({ value, minutes }) => (value === null || minutes === null ? [] : [value]));
  const [low, high] = spread(metric === 'settlement' ? all : [...all, 0]);
  const steps = Math.max(2, Math.floor((height - MARGIN.top - MARGIN.bottom) / VALUE_STEP));
  const step = niceStep((high - low) / steps);
  const [from, to] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  const values = Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => from + index * step);
  const texts = values.map((value) => formatTick(value, step, metric));
  const left = MARGIN.left + Math.max(...texts.map(({ length }) => length)) * LETTER + 6;
  const plot = { left, right: width - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom };
  const most = Math.max(1, ...plotted.flat().map(({ minutes }) => minutes ?? 0));
  const x = (minutes: number): number => plot.left + (minutes / most) * (plot.right - plot.left);
  const y = (value: number): number => plot.bottom - ((value - from) / (to - from)) * (plot.bottom - plot.top);
  const placed = curves.map((curve, index): PlacedCurve => {
    const points = (plotted[index] ?? []).map(({ row, minutes, value }) =>
      value === null || minutes === null ? { row } : { row, x: x(minutes), y: y(value) },
    );
    return {
      ...curve,
      points: points.filter(isPlaced),
      runs: toRuns(points.filter(({ row }) => row.kind === 'month')),
    };
  });
  return {
    width,
    height,
    plot,
    curves: placed,
    values: values.map((value, index) => ({ at: y(value), text: texts[index] ?? '' })),
    days: toDayTicks(most / MINUTES_OF_DAY, (plot.right - plot.left) / DAY_STEP).map((day) => ({
      at: x(day * MINUTES_OF_DAY),
      text: `${String(day)} d`,
    })),
    months: keepApart(placed[0]?.points ?? []),
  };
}

type MaybePlaced = { readonly row: CurveRow } & Partial<PlacedPoint>;

function isPlaced(point: MaybePlaced): point is PlacedPoint {
  return point.x !== undefined;
}

/** A listed month without a figure ends a run, so that no line bridges it. */
function toRuns(points: readonly MaybePlaced[]): readonly (readonly PlacedPoint[])[] {
  const runs: PlacedPoint[][] = [[]];
  for (const point of points) {
    if (isPlaced(point)) runs.at(-1)?.push(point);
    else runs.push([]);
  }
  return runs.filter(({ length }) => length > 0);
}

/** Equal values get a range around them. */
function spread(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = high === low ? Math.abs(high) * 0.05 || 1 : 0;
  return [low - room, high + room];
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return (([1, 2, 5, 10] as const).find((step) => step * power >= least * 0.999) ?? 10) * power;
}

function formatTick(value: number, step: number, metric: CurveMetric): string {
  const factor = metric === 'aYear' ? 100 : 1;
  const digits = Math.max(0, -Math.floor(Math.log10(step * factor) + 1e-9));
  const text = (value * factor).toFixed(digits).replace(/\B(?<!\..*)(?=(?:\d{3})+(?!\d))/g, ',');
  const signed = Number(text.replaceAll(',', '')) === 0 ? text.replace('-', '') : text.replace('-', '−');
  return metric === 'aYear' ? `${signed} %` : signed;
}

function toDayTicks(most: number, count: number): readonly number[] {
  const step = Math.max(1, niceStep(most / Math.max(2, count)));
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
}

function keepApart(points: readonly PlacedPoint[]): readonly Tick[] {
  const kept: Tick[] = [];
  for (const { row, x } of points.filter(({ row: { kind } }) => kind === 'month'))
    if (x - (kept.at(-1)?.at ?? -Infinity) >= NAME_ROOM) kept.push({ at: x, text: row.name });
  return kept;
}
