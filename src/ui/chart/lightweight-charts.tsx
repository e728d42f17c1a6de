import { createChart, PriceScaleMode, type IChartApi, type MouseEventParams, type Time } from 'lightweight-charts';
import { useLayoutEffect, useRef } from 'react';
import { toChartOptions, toFixedOptions } from './chart-options.ts';
import { drawPanes, type Drawn } from './draw-panes.ts';
import type { Cursor } from './cursor.ts';
import type { Drawing } from './drawing.ts';
import type { Picture, Scale, Series } from './picture.ts';
import { useZone } from '../preferences/use-preferences.tsx';
import { readPaints, type Paints } from './read-inks.ts';
import { toTimeOptions } from './time-axis.ts';
import { wholeOf } from './view-window.ts';
import styles from './chart.module.css';

export interface ChartCanvasProps {
  readonly picture: Picture;
  readonly scale: Scale;
  /** Changes whenever colours have to be read again. */
  readonly look: string;
  readonly cursor: Cursor;
  /** Changes when the picture is another one, to be seen whole: not with each refresh of the same. */
  readonly subject: string;
  readonly onDrawing: (drawing: Drawing | null) => void;
}

const MODES: Readonly<Record<Scale, PriceScaleMode>> = {
  linear: PriceScaleMode.Normal,
  log: PriceScaleMode.Logarithmic,
  percent: PriceScaleMode.Percentage,
};

interface Held {
  readonly chart: IChartApi;
  drawn: Drawn | null;
  picture: Picture | null;
  paints: { readonly look: string; readonly paints: Paints } | null;
}

/**
 * The picture, drawn by lightweight-charts. This file and the library are one chunk, loaded with the first chart. It is
 * made before the page is painted, so that what is around it is laid out and painted once, with it.
 */
export function ChartCanvas({ picture, scale, look, cursor, subject, onDrawing }: ChartCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const held = useRef<Held | null>(null);
  const [zone] = useZone();

  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return;
    const chart = createChart(element, toFixedOptions(matchMedia('(prefers-reduced-motion: reduce)').matches));
    const own: Held = { chart, drawn: null, picture: null, paints: null };
    held.current = own;
    chart.subscribeCrosshairMove(followPointer(cursor));
    onDrawing(toDrawing(own));
    return () => {
      onDrawing(null);
      held.current = null;
      chart.remove();
    };
  }, [cursor, onDrawing]);

  useLayoutEffect(() => {
    const own = held.current;
    if (own === null || host.current === null) return;
    if (own.paints?.look !== look) {
      own.paints = { look, paints: readPaints(host.current) };
      own.chart.applyOptions(toChartOptions(own.paints.paints));
    }
    const { paints } = own.paints;
    own.drawn = drawPanes(own.chart, picture, paints, own.drawn);
    own.picture = picture;
  }, [picture, look]);

  useLayoutEffect(() => {
    held.current?.chart.applyOptions(toTimeOptions(zone));
  }, [zone, cursor, onDrawing]);

  useLayoutEffect(() => {
    picture.panes.forEach(({ scales = [] }, index) => {
      const mode = MODES[scales.includes(scale) ? scale : 'linear'];
      held.current?.chart.priceScale('right', index).applyOptions({ mode, autoScale: true });
    });
  }, [scale, picture]);

  useLayoutEffect(() => {
    const own = held.current;
    if (own?.picture) own.chart.timeScale().setVisibleLogicalRange(wholeOf(own.picture.times.length));
  }, [subject]);

  return <div className={styles['canvas']} ref={host} aria-hidden="true" />;
}

/** The keyboard moves the crosshair too, and has told the cursor already. */
function followPointer(cursor: Cursor) {
  return ({ logical, time, sourceEvent }: MouseEventParams): void => {
    if (sourceEvent === undefined && logical !== undefined) return;
    cursor.set(time === undefined || logical === undefined ? null : logical);
  };
}

function toDrawing(own: Held): Drawing {
  const { chart } = own;
  const time = chart.timeScale();
  return {
    view: () => {
      const range = time.getVisibleLogicalRange();
      return range === null ? null : { from: range.from, to: range.to };
    },
    setView: (view) => {
      time.setVisibleLogicalRange(view);
    },
    point: (bar) => {
      pointAt(own, bar);
    },
    toCanvas: () => chart.takeScreenshot(true, false),
  };
}

function pointAt({ chart, drawn, picture }: Held, bar: number | null): void {
  const series = drawn?.series[0];
  const at = bar === null ? undefined : picture?.times[bar];
  if (bar === null || series === undefined || at === undefined) chart.clearCrosshairPosition();
  else chart.setCrosshairPosition(levelOf(picture?.panes[0]?.series[0], bar), at as Time, series);
}

/** Where the crosshair stands on a bar; in a gap only its upright line says something. */
function levelOf(series: Series | undefined, bar: number): number {
  const value = series?.values[bar] ?? null;
  if (value === null) return 0;
  return typeof value === 'number' ? value : value.close;
}
