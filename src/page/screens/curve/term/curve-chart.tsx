import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useMemo, useState } from 'react';
import { findFront } from '#model/curve/curve-days.ts';
import type { CurveMetric } from '#model/curve/curve-params.ts';
import { formatDays } from '#model/curve/describe-curve.ts';
import { type CurveRow, whyMissing } from '#model/curve/curve-rows.ts';
import { ChartStage } from '#page/kit/chart/chart-stage.tsx';
import type { KeyBinding } from '#page/kit/keyboard.ts';
import { useAnnounce } from '#page/kit/live-region.tsx';
import { useKeys } from '#page/kit/use-keys.tsx';
import { useColourKey } from '#page/kit/use-preferences.tsx';
import { formatMetric } from './metrics.ts';
import { type CurveLayout, type DrawnCurve, layOutCurve, type PlacedPoint } from './lay-out-curve.ts';
import { paintCurve, readCurveColours } from './paint-curve.ts';
import styles from '../shared/curve.module.css';

interface CurveChartProps {
  readonly label: string;
  /** The curve in a sentence or two, for screen readers. */
  readonly summary: string;
  /** The newest first. */
  readonly curves: readonly DrawnCurve[];
  readonly metric: CurveMetric;
  readonly canvas: RefObject<HTMLCanvasElement | null>;
}

/** A point by its curve and its key, which stay the same while curves are read. */
interface Place {
  readonly session: string;
  readonly key: string;
}

/** Curves on a plane of time to expiry and of a figure. Arrow keys move along the points. */
export function CurveChart({ label, summary, curves, metric, canvas }: CurveChartProps) {
  const [place, setPlace] = useState<Place | null>(null);
  const [stage, setStage] = useState<HTMLDivElement | null>(null);
  const size = useSize(stage);
  const look = useColourKey();
  const layout = useMemo(
    () => (size === null ? null : layOutCurve({ curves, metric, ...size })),
    [curves, metric, size],
  );
  const at = layout && findPlace(layout, place);
  useEffect(() => {
    if (canvas.current !== null && layout !== null)
      paintCurve(canvas.current, layout, readCurveColours(document.body), at?.point ?? null);
  }, [canvas, layout, at?.point, look]);
  const announce = useAnnounce();
  useKeys(KEYS);
  const show = (next: Place | null): void => {
    setPlace(next);
    const curve = curves.find(({ day }) => day.session === next?.session);
    const row = curve?.day.rows.find(({ key }) => key === next?.key);
    if (curve !== undefined && row !== undefined) announce(describePoint(row, curve, metric));
  };
  const press = (event: KeyboardEvent): void => {
    const next = event.key === 'Escape' ? null : step(event.key, curves, place);
    if (next === undefined) return;
    event.preventDefault();
    show(next);
  };
  const follow = (event: PointerEvent): void => {
    if (layout === null) return;
    const box = event.currentTarget.getBoundingClientRect();
    setPlace(findNearest(layout, event.clientX - box.left, event.clientY - box.top));
  };
  return (
    <>
      <Legend curves={curves} metric={metric} place={place} />
      <ChartStage
        ref={setStage}
        className={styles['stage']}
        label={label}
        description={`${summary} ${KEYS_IN_WORDS}`}
        onKeyDown={press}
        onPointerMove={follow}
        onPointerLeave={() => {
          setPlace(null);
        }}
      >
        <canvas ref={canvas} className={styles['canvas']} aria-hidden="true" />
      </ChartStage>
    </>
  );
}

const KEYS_IN_WORDS =
  'Left and right arrows move along the points, up and down between sessions. The table beside the chart has the same ' +
  'figures.';

const group = 'Chart';
const KEYS: readonly KeyBinding[] = [
  { keys: '← →', label: 'Previous or next point of the curve', group },
  { keys: '↑ ↓', label: 'The same point of another session', group },
];

interface LegendProps extends Pick<CurveChartProps, 'curves' | 'metric'> {
  readonly place: Place | null;
}

/** The sessions with their colours, and the figure of the chosen point, or else of the front month. */
function Legend({ curves, metric, place }: LegendProps) {
  const curve = curves.find(({ day }) => day.session === place?.session) ?? curves[0];
  const row = curve?.day.rows.find(({ key }) => key === place?.key) ?? (curve && findFront(curve.day.rows));
  return (
    <div className={styles['legend']}>
      {curves.map(({ name, ink, stroke, day }) => (
        <span key={day.session} className={styles['entry']}>
          <i data-stroke={stroke} style={{ borderColor: `var(--${ink})` }} /> {name}
        </span>
      ))}
      <span className={styles['entry']}>◇ {metric === 'settlement' ? 'perpetual' : nameNear(curves)}</span>
      <span className={styles['entry']}>□ constant maturity</span>
      <output className={styles['readout']} data-testid="curve-readout" aria-live="off">
        {row && curve && describePoint(row, curve, metric)}
      </output>
    </div>
  );
}

/** What the basis is measured over, which is at zero. */
function nameNear([newest]: readonly DrawnCurve[]): string {
  const over = newest?.day.over ?? null;
  return over === null ? 'perpetual' : `${over.over} of the perpetual`;
}

/** `Z26, in 28.0 days, 27 Nov 2026: +4.60 % a year`. */
function describePoint(row: CurveRow, { name, day }: DrawnCurve, metric: CurveMetric): string {
  const left = row.kind === 'month' ? `, in ${formatDays(row.minutes)} days` : '';
  return `${row.name}${left}, ${name}: ${formatMetric(row, metric, day.digits) ?? whyMissing(row, metric) ?? 'not available'}`;
}

/** Returns the size of an element in CSS pixels; null until it is known. */
function useSize(element: HTMLElement | null): Pick<CurveLayout, 'width' | 'height'> | null {
  const [size, setSize] = useState<Pick<CurveLayout, 'width' | 'height'> | null>(null);
  useEffect(() => {
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [element]);
  return size;
}

function findPlace(layout: CurveLayout, place: Place | null): { readonly point: PlacedPoint | null } {
  const curve = layout.curves.find(({ day }) => day.session === place?.session);
  return { point: curve?.points.find(({ row }) => row.key === place?.key) ?? null };
}

/** Returns the points of a curve from left to right. */
function inTime({ day }: DrawnCurve): readonly CurveRow[] {
  return day.rows.toSorted((a, b) => (a.minutes ?? 0) - (b.minutes ?? 0));
}

/** Returns the place that a key moves to; undefined if it is no key of the chart. */
function step(key: string, curves: readonly DrawnCurve[], place: Place | null): Place | undefined {
  const across = STEPS.get(key);
  const between = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : null;
  if (across === undefined && between === null) return undefined;
  const index = Math.max(
    0,
    curves.findIndex(({ day }) => day.session === place?.session),
  );
  const curve = curves[Math.min(curves.length - 1, Math.max(0, index + (between ?? 0)))];
  if (curve === undefined) return undefined;
  const points = inTime(curve);
  const from = points.findIndex(({ key: each }) => each === place?.key);
  const to = from === -1 ? 0 : Math.min(points.length - 1, Math.max(0, from + (across ?? 0)));
  return { session: curve.day.session, key: points[to]?.key ?? '' };
}

const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowLeft', -1],
  ['ArrowRight', 1],
  ['Home', -Infinity],
  ['End', Infinity],
]);

/** Returns the drawn point that is nearest; constant maturities are drawn on the newest curve only. */
function findNearest({ curves }: CurveLayout, x: number, y: number): Place | null {
  const places = curves.flatMap(({ day, points }, index) =>
    points
      .filter(({ row }) => index === 0 || row.kind !== 'constant')
      .map(({ row, ...point }) => ({
        place: { session: day.session, key: row.key },
        distance: Math.hypot(point.x - x, point.y - y),
      })),
  );
  return places.toSorted((a, b) => a.distance - b.distance)[0]?.place ?? null;
}
