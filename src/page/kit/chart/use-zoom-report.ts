import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import type { ChartHandle } from './chart-handle.ts';
import type { ChartTime } from '#model/charts/picture.ts';
import { toZoom, type Zoom } from './zoom.ts';

/** Which part of the range is in view, for an address. */
export interface Zooming {
  readonly zoom: Zoom;
  /** Called once the user has moved the view. */
  readonly onZoom: (zoom: Zoom) => void;
  /** Called when the user has dragged past the first bar. */
  readonly onPassStart: (zoom: Zoom) => void;
}

interface Reported {
  readonly chart: ChartHandle | null;
  readonly times: readonly ChartTime[];
  readonly zooming: Zooming | undefined;
}

/** When the view has come to rest. */
const REST_MS = 300;
/** Empty bars before the first one that a drag has to show. */
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
  const stop = chart.onMove(() => {
    clearTimeout(timer);
    if (chart.isSet()) timer = setTimeout(report, REST_MS);
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
