import {
  type ChartOptions,
  ColorType,
  createChart,
  CrosshairMode,
  type DeepPartial,
  type IChartApi,
  type MouseEventParams,
  type Time,
} from 'lightweight-charts';
import { type Paints, readPaints } from './series-data.ts';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type Drawn, drawPanes } from './draw-panes.ts';
import type { ChartHandle, Crosshair, Place } from './chart-input.ts';
import { createLayer, type Layer } from './layers.ts';
import type { ChartData, Scale, Series } from '#model/charts/chart-data.ts';
import { createScaleKeeper, createViewKeeper, type ScaleKeeper, type ViewKeeper } from './view-keeper.ts';
import type { TimeOptions } from './time-axis.ts';
import { barAt, type ViewWindow } from './view-window.ts';
import styles from './chart.module.css';

/** Returns the colours and fonts of the chart; all others are the library’s. */
function toChartOptions(paints: Paints): DeepPartial<ChartOptions> {
  const hair = { color: paints.text, labelBackgroundColor: paints.lineStrong };
  return {
    layout: {
      background: { type: ColorType.Solid, color: paints.background },
      textColor: paints.text,
      fontFamily: paints.fontFamily,
      fontSize: 11,
      panes: { separatorColor: paints.lineStrong, separatorHoverColor: paints.raised },
    },
    grid: { vertLines: { color: paints.line }, horzLines: { color: paints.line } },
    rightPriceScale: { borderColor: paints.line },
    timeScale: { borderColor: paints.line },
    crosshair: { mode: CrosshairMode.Normal, vertLine: hair, horzLine: hair },
  };
}

/**
 * Returns the options that never change. The library’s logo is off because it adds a style that the page’s policy
 * forbids; the attribution is below the chart.
 */
function toFixedOptions(): DeepPartial<ChartOptions> {
  return {
    autoSize: true,
    // A finger that swipes over the chart to scroll the page would resize the panes instead.
    layout: { attributionLogo: false, panes: { enableResize: !matchMedia('(pointer: coarse)').matches } },
    rightPriceScale: { entireTextOnly: true },
    localization: { locale: 'en-GB' },
    timeScale: { minBarSpacing: 0.05, lockVisibleTimeRangeOnResize: true, timeVisible: true, secondsVisible: false },
    // A vertical swipe scrolls the page.
    handleScroll: { vertTouchDrag: false, mouseWheel: false },
    // The frame handles the wheel, because some turns of it are for the page.
    handleScale: { mouseWheel: false, axisDoubleClickReset: { time: false, price: true } },
    kineticScroll: { touch: !matchMedia('(prefers-reduced-motion: reduce)').matches, mouse: false },
  };
}

export interface ChartCanvasProps {
  readonly chartData: ChartData;
  readonly scale: Scale;
  /** Changes whenever colours must be read again. */
  readonly colourKey: string;
  readonly crosshair: Crosshair;
  /** A new subject is shown whole; a refresh keeps the subject. */
  readonly subject: string;
  /** Formats of the time axis. */
  readonly timeOptions: TimeOptions;
  readonly onHandle: (handle: ChartHandle | null) => void;
  /** The part of a new subject to show, instead of the whole. */
  readonly chosen: ViewWindow | null;
  readonly onDoubleClick: () => void;
}

/** The content that the chart currently shows. */
interface Shown {
  readonly drawn: Drawn | null;
  readonly chartData: ChartData | null;
  readonly paints: { readonly colourKey: string; readonly paints: Paints } | null;
  /** Drawings that were added over the first series. */
  readonly layers: readonly Layer<never>['primitive'][];
}

const NOTHING: Shown = { drawn: null, chartData: null, paints: null, layers: [] };

/**
 * The chart, drawn by lightweight-charts. This file and the library are one chunk, loaded with the first chart. Layout
 * effects create and fill it before the page is painted, to save an empty frame.
 */
export function ChartCanvas(props: ChartCanvasProps) {
  const host = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<IChartApi | null>(null);

  useLayoutEffect(() => {
    if (host.current === null) return;
    const made = createChart(host.current, toFixedOptions());
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

/** Updates the chart from its props. */
function Content({
  chart,
  chartData,
  scale,
  colourKey,
  crosshair,
  subject,
  timeOptions,
  onHandle,
  chosen,
  onDoubleClick,
}: ChartCanvasProps & { readonly chart: IChartApi }) {
  const shown = useRef<Shown>(NOTHING);
  const keeper = useMemo(() => toViewKeeper(chart), [chart]);
  const scaleKeeper = useMemo(() => createScaleKeeper(chart), [chart]);
  const count = chartData.times.length;

  useLayoutEffect(() => {
    const before = shown.current;
    const paints = before.paints?.colourKey === colourKey ? before.paints : { colourKey, paints: readPaints() };
    if (paints !== before.paints) chart.applyOptions(toChartOptions(paints.paints));
    // When it receives new data, the library at once reports which bar is under the pointer now.
    shown.current = { ...before, chartData };
    const drawn = drawPanes(chart, chartData, paints.paints, before.drawn);
    shown.current = { ...before, chartData, paints, drawn };
    const [first] = drawn.series;
    if (first !== before.drawn?.series[0]) for (const layer of before.layers) first?.attachPrimitive(layer);
  }, [chart, chartData, colourKey]);

  useLayoutEffect(() => {
    chart.applyOptions(timeOptions);
  }, [chart, timeOptions]);

  useLayoutEffect(() => {
    scaleKeeper.follow(chartData.panes, scale, subject);
  }, [scaleKeeper, chartData, scale, subject]);

  // The library keeps the last bar in place, so bars added at the start would be out of view.
  useLayoutEffect(() => {
    keeper.follow(subject, count, chosen);
  }, [keeper, subject, count, chosen]);

  useLayoutEffect(() => {
    chart.subscribeDblClick(onDoubleClick);
    return () => {
      chart.unsubscribeDblClick(onDoubleClick);
    };
  }, [chart, onDoubleClick]);

  useLayoutEffect(() => releaseOnDrag(chart.chartElement(), keeper), [chart, keeper]);

  useLayoutEffect(() => {
    const { onMove, stop, height } = followPointer(chart, crosshair, () => shown.current);
    chart.subscribeCrosshairMove(onMove);
    const level = (): number | null => {
      const { drawn, chartData: data } = shown.current;
      if (!crosshair.isFollowing()) return valueAt(data?.panes[0]?.series[0], crosshair.read() ?? -1);
      const at = height();
      return at === null ? null : (drawn?.series[0]?.coordinateToPrice(at) ?? null);
    };
    const setLayers = (layers: Shown['layers']): void => {
      shown.current = { ...shown.current, layers };
    };
    onHandle({
      ...toHandle(chart, { keeper, scaleKeeper }, () => shown.current),
      level,
      placeAt: (x, y) => findPlace(chart, shown.current, x, y),
      addLayer: (draw, toLabels) => {
        const { primitive, show } = createLayer(draw, toLabels);
        setLayers([...shown.current.layers, primitive]);
        shown.current.drawn?.series[0]?.attachPrimitive(primitive);
        return {
          show,
          remove: () => {
            if (!shown.current.layers.includes(primitive)) return;
            setLayers(shown.current.layers.filter((each) => each !== primitive));
            shown.current.drawn?.series[0]?.detachPrimitive(primitive);
          },
        };
      },
    });
    return () => {
      // The chart is about to be removed, with all that was added to it.
      setLayers([]);
      chart.unsubscribeCrosshairMove(onMove);
      stop();
      // The next chart begins without a crosshair.
      crosshair.set(null);
      onHandle(null);
    };
  }, [chart, keeper, scaleKeeper, crosshair, onHandle]);

  return null;
}

/**
 * Follows the pointer, unless the keyboard chose the bar. The library keeps its crosshair in place on the screen: when
 * data or view change under it, it reports another bar without a pointer event, and the crosshair is moved back to the
 * chosen bar.
 */
function followPointer(chart: IChartApi, crosshair: Crosshair, shown: () => Shown) {
  let frame = 0;
  /** Where the crosshair is in the first pane; null elsewhere. */
  let height: number | null = null;
  const stop = (): void => {
    cancelAnimationFrame(frame);
  };
  // In the next frame, all series are filled and the view is fitted.
  const takeBack = (): void => {
    stop();
    frame = requestAnimationFrame(() => {
      if (!crosshair.isFollowing()) pointAt(chart, shown(), crosshair.read());
    });
  };
  const onMove = ({ logical, sourceEvent, point, paneIndex }: MouseEventParams): void => {
    height = paneIndex === 0 ? (point?.y ?? null) : null;
    if (sourceEvent === undefined && logical !== undefined && !crosshair.isFollowing()) {
      takeBack();
      return;
    }
    const count = shown().chartData?.times.length ?? 0;
    crosshair.follow(logical === undefined || count === 0 ? null : barAt(logical, count));
  };
  return { onMove, stop, height: () => height };
}

/** Returns the bar and the level at a place of the first pane, in pixels; null elsewhere. */
function findPlace(chart: IChartApi, { drawn, chartData }: Shown, x: number, y: number): Place | null {
  const time = chart.timeScale();
  const logical = x > time.width() ? null : time.coordinateToLogical(x);
  const bar = logical === null ? null : barAt(logical, chartData?.times.length ?? 0);
  const level = y > (chart.panes()[0]?.getHeight() ?? 0) ? null : (drawn?.series[0]?.coordinateToPrice(y) ?? null);
  return bar === null || level === null ? null : { bar, level };
}

function toViewKeeper(chart: IChartApi): ViewKeeper {
  return createViewKeeper((view) => {
    chart.timeScale().setVisibleLogicalRange(view);
  });
}

/** Releases the view when the user drags it. */
function releaseOnDrag(element: HTMLElement, { release }: ViewKeeper): () => void {
  const drag = ({ buttons }: PointerEvent): void => {
    if (buttons !== 0) release();
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

function toHandle(
  chart: IChartApi,
  { keeper, scaleKeeper }: Keepers,
  shown: () => Shown,
): Omit<ChartHandle, 'level' | 'placeAt' | 'addLayer'> {
  const time = chart.timeScale();
  return {
    view: () => time.getVisibleLogicalRange(),
    isSet: keeper.isSet,
    onMove: (listener) => {
      time.subscribeVisibleLogicalRangeChange(listener);
      return () => {
        time.unsubscribeVisibleLogicalRangeChange(listener);
      };
    },
    setView: (view) => {
      keeper.show(view, shown().chartData?.times.length ?? 0);
    },
    fitValues: scaleKeeper.fit,
    point: (bar, level) => {
      pointAt(chart, shown(), bar, level);
    },
    colorOf: (ink) => {
      const paints = shown().paints?.paints;
      return (ink === 'background' ? paints?.background : paints?.inks[ink]) ?? '';
    },
    toCanvas: () => chart.takeScreenshot(true, false),
  };
}

function pointAt(
  chart: IChartApi,
  { drawn, chartData }: Shown,
  bar: number | null,
  level = levelOf(chartData?.panes[0]?.series[0], bar ?? -1),
): void {
  const series = drawn?.series[0];
  const at = bar === null ? undefined : chartData?.times[bar];
  if (bar === null || series === undefined || at === undefined) chart.clearCrosshairPosition();
  else chart.setCrosshairPosition(level, at as Time, series);
}

/** Returns the crosshair’s value at a bar; in a gap only its vertical line matters. */
function levelOf(series: Series | undefined, bar: number): number {
  return valueAt(series, bar) ?? 0;
}

function valueAt(series: Series | undefined, bar: number): number | null {
  const value = series?.values[bar] ?? null;
  return value === null || typeof value === 'number' ? value : value.close;
}
