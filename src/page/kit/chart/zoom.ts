import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { ChartHandle } from './chart-input.ts';
import type { ChartTime } from '#model/charts/chart-data.ts';
import { useNavigator, useUrlState } from '../navigation.tsx';
import { writeQuery } from '../navigator.ts';
import { type UrlParam, wordsParam } from '#model/format/url-param.ts';
import { type ChosenRange, rangeParam } from '#model/charts/range-param.ts';
import { type ViewWindow, wholeOf } from './view-window.ts';

/**
 * The dates of the first and the last bar in view; empty for the whole range. It is kept in an address, where dates have
 * the same meaning whatever the bars and whenever it is opened.
 */
type Zoom = readonly string[];

export const WHOLE: Zoom = [];

/** Returns the part of a chart that a zoom names; null for the whole range, and if none of its bars exist. */
export function toView([first, last]: Zoom, times: readonly ChartTime[]): ViewWindow | null {
  if (first === undefined || last === undefined) return null;
  const from = times.findIndex((time) => String(time) >= first);
  const to = times.findLastIndex((time) => String(time) <= last);
  return from < 0 || to < from ? null : { from, to };
}

/** @internal Exported for its test. */
export function toZoom(view: ViewWindow, times: readonly ChartTime[]): Zoom {
  const end = times.length - 1;
  const [from, to] = [Math.round(view.from), Math.round(view.to)];
  const last = times[Math.min(to, end)];
  if (last === undefined || (from <= 0 && to >= end)) return WHOLE;
  return [String(from < 0 ? dateBefore(times, -from) : times[Math.min(from, end)]), String(last)];
}

/** Returns the date of a bar before the first one, if the bars there are as far apart as these on average. */
function dateBefore(times: readonly ChartTime[], bars: number): string {
  const [first, last] = [times[0], times.at(-1)].map((time) => Date.parse(String(time)) / DAY_MS);
  const apart = ((last ?? 0) - (first ?? 0)) / (times.length - 1);
  return new Date(Math.round((first ?? 0) - bars * apart) * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

const DAY_MS = 86_400_000;

/** The part of a range in view, which an address keeps. */
export interface Zooming {
  readonly zoom: Zoom;
  /** Called after the user moved the view. */
  readonly onZoom: (zoom: Zoom) => void;
  /** Called after the user dragged past the first bar. */
  readonly onPassStart: (zoom: Zoom) => void;
}

interface Reported {
  readonly chart: ChartHandle | null;
  readonly times: readonly ChartTime[];
  readonly zooming: Zooming | undefined;
}

/** Time after which the view counts as at rest. */
const REST_MS = 300;
/** A drag must show this many empty bars before the first one. */
const PAST_START = 2;

/** Reports the part in view once the user has set it and it has come to rest. */
export function useZoomReport(stage: RefObject<HTMLElement | null>, { chart, times, zooming }: Reported): void {
  const latest = useRef({ times, zooming });
  useLayoutEffect(() => {
    latest.current = { times, zooming };
  });
  useEffect(() => {
    const element = stage.current;
    return chart === null || element === null ? undefined : listen(chart, element, () => latest.current);
  }, [chart, stage]);
}

function listen(chart: ChartHandle, element: HTMLElement, read: () => Omit<Reported, 'chart'>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const report = (): void => {
    const { times, zooming } = read();
    const view = chart.view();
    if (view !== null) zooming?.onZoom(toZoom(view, times));
  };
  /** Whether the view has been set back to all bars, rather than dragged over them. */
  const isReset = (): boolean => {
    const { times, zooming } = read();
    const [view, whole] = [chart.view(), wholeOf(times.length)];
    const isWhole = view !== null && Math.max(Math.abs(view.from - whole.from), Math.abs(view.to - whole.to)) < 0.01;
    return isWhole && zooming?.zoom.length !== 0;
  };
  const stop = chart.onMove(() => {
    clearTimeout(timer);
    if (!chart.isSet()) return;
    // A link that is followed at once must not lead to the part that was in view before.
    if (isReset()) report();
    else timer = setTimeout(report, REST_MS);
  });
  const onDrop = (): void => {
    const { times, zooming } = read();
    const view = chart.view();
    if (view !== null && chart.isSet() && view.from < -PAST_START) zooming?.onPassStart(toZoom(view, times));
  };
  element.addEventListener('pointerup', onDrop);
  return () => {
    clearTimeout(timer);
    stop();
    element.removeEventListener('pointerup', onDrop);
  };
}

interface ZoomedRange {
  readonly range: UrlParam<ChosenRange>;
  /** The sessions of the first and the last bar in view. */
  readonly zoom: UrlParam<Zoom>;
  /** Ascending. */
  readonly rangeNames: readonly string[];
}

/** Creates the parameters for a range and the part of it in view. A new range is shown whole. */
export function zoomedRange(rangeNames: readonly string[], defaultName: string): ZoomedRange {
  const range = rangeParam(rangeNames, defaultName);
  const zoom = wordsParam('zoom');
  const write: typeof range.write = (query, value) => {
    range.write(query, value);
    zoom.write(query, []);
  };
  return { range: { read: range.read, write }, zoom, rangeNames };
}

/** Keeps the part in view in the address. A drag past the first bar loads the next longer range. */
export function useZooming(params: ZoomedRange): Zooming {
  const navigator = useNavigator();
  const [range] = useUrlState(params.range);
  const [zoom, onZoom] = useUrlState(params.zoom);
  return useMemo(() => {
    const onPassStart = (inView: Zoom): void => {
      const longer = 'name' in range ? params.rangeNames[params.rangeNames.indexOf(range.name) + 1] : undefined;
      if (longer === undefined) return;
      writeQuery(navigator, (query) => {
        params.range.write(query, { name: longer });
        params.zoom.write(query, inView);
      });
    };
    return { zoom, onZoom, onPassStart };
  }, [navigator, params, range, zoom, onZoom]);
}
