import { createChart, type IChartApi, type MouseEventParams, type Time } from 'lightweight-charts';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { toChartOptions, toFixedOptions } from './chart-options.ts';
import { drawPanes, type Drawn } from './draw-panes.ts';
import type { Cursor } from './cursor.ts';
import type { Drawing } from './drawing.ts';
import type { Picture, Scale, Series } from './picture.ts';
import { readPaints, type Paints } from './read-inks.ts';
import { createScaleKeeper, type ScaleKeeper } from './scale-keeper.ts';
import type { TimeOptions } from './time-axis.ts';
import { createViewKeeper, type ViewKeeper } from './view-keeper.ts';
import styles from './chart.module.css';

export interface ChartCanvasProps {
  readonly picture: Picture;
  readonly scale: Scale;
  /** Changes whenever colours have to be read again. */
  readonly look: string;
  readonly cursor: Cursor;
  /** Changes when the picture is another one, to be seen whole: not with each refresh of the same. */
  readonly subject: string;
  /** How the times of the picture are told on its axis. */
  readonly timeOptions: TimeOptions;
  readonly onDrawing: (drawing: Drawing | null) => void;
}

/** What stands in the chart at present. */
interface Shown {
  readonly drawn: Drawn | null;
  readonly picture: Picture | null;
  readonly paints: { readonly look: string; readonly paints: Paints } | null;
}

const NOTHING: Shown = { drawn: null, picture: null, paints: null };

/**
 * The picture, drawn by lightweight-charts. This file and the library are one chunk, loaded with the first chart. It is
 * made and filled before the page is painted: a frame without it would cost layout and paint, and show nothing.
 */
export function ChartCanvas(props: ChartCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<IChartApi | null>(null);

  useLayoutEffect(() => {
    if (host.current === null) return;
    const made = createChart(host.current, toFixedOptions(matchMedia('(prefers-reduced-motion: reduce)').matches));
    setChart(made);
    return () => {
      setChart(null);
      made.remove();
    };
  }, []);

  return (
    <>
      <div className={styles['canvas']} ref={host} aria-hidden="true" />
      {chart !== null && <Content chart={chart} {...props} />}
    </>
  );
}

/** Keeps the chart in step with what is to be seen. */
function Content({ chart, picture, scale, look, cursor, subject, timeOptions, onDrawing }: ChartCanvasProps & { readonly chart: IChartApi }) {
  const shown = useRef<Shown>(NOTHING);
  const keeper = useMemo(() => toViewKeeper(chart), [chart]);
  const scaleKeeper = useMemo(() => createScaleKeeper(chart), [chart]);
  const count = picture.times.length;

  useLayoutEffect(() => {
    const before = shown.current;
    const paints = before.paints?.look === look ? before.paints : { look, paints: readPaints(chart.chartElement()) };
    if (paints !== before.paints) chart.applyOptions(toChartOptions(paints.paints));
    shown.current = { picture, paints, drawn: drawPanes(chart, picture, paints.paints, before.drawn) };
  }, [chart, picture, look]);

  useLayoutEffect(() => {
    chart.applyOptions(timeOptions);
  }, [chart, timeOptions]);

  useLayoutEffect(() => {
    scaleKeeper.follow(picture.panes, scale, subject);
  }, [scaleKeeper, picture, scale, subject]);

  // The library keeps the last bar where it is: what is added before it would push the first ones out of sight.
  useLayoutEffect(() => {
    keeper.follow(subject, count);
  }, [keeper, subject, count]);

  useLayoutEffect(() => letGoByHand(chart.chartElement(), keeper), [chart, keeper]);

  useLayoutEffect(() => {
    const follow = followPointer(cursor);
    chart.subscribeCrosshairMove(follow);
    onDrawing(toDrawing(chart, { keeper, scaleKeeper }, () => shown.current));
    return () => {
      chart.unsubscribeCrosshairMove(follow);
      onDrawing(null);
    };
  }, [chart, keeper, scaleKeeper, cursor, onDrawing]);

  return null;
}

/** The keyboard moves the crosshair too, and has told the cursor already. */
function followPointer(cursor: Cursor) {
  return ({ logical, time, sourceEvent }: MouseEventParams): void => {
    if (sourceEvent === undefined && logical !== undefined) return;
    cursor.set(time === undefined || logical === undefined ? null : logical);
  };
}

function toViewKeeper(chart: IChartApi): ViewKeeper {
  return createViewKeeper((view) => {
    chart.timeScale().setVisibleLogicalRange(view);
  });
}

/** A drag moves the view, and so may a finger. */
function letGoByHand(element: HTMLElement, { letGo }: ViewKeeper): () => void {
  const drag = ({ buttons }: PointerEvent): void => {
    if (buttons !== 0) letGo();
  };
  element.addEventListener('pointermove', drag);
  return () => {
    element.removeEventListener('pointermove', drag);
  };
}

interface Keepers {
  readonly keeper: ViewKeeper;
  readonly scaleKeeper: ScaleKeeper;
}

function toDrawing(chart: IChartApi, { keeper, scaleKeeper }: Keepers, shown: () => Shown): Drawing {
  const time = chart.timeScale();
  return {
    view: () => {
      const range = time.getVisibleLogicalRange();
      return range === null ? null : { from: range.from, to: range.to };
    },
    setView: (view) => {
      keeper.show(view, shown().picture?.times.length ?? 0);
    },
    fitValues: scaleKeeper.fit,
    point: (bar) => {
      pointAt(chart, shown(), bar);
    },
    colorOf: (ink) => shown().paints?.paints.inks[ink] ?? '',
    toCanvas: () => chart.takeScreenshot(true, false),
  };
}

function pointAt(chart: IChartApi, { drawn, picture }: Shown, bar: number | null): void {
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
