import { useEffect, useLayoutEffect, type RefObject } from 'react';
import { wheelOnChart, type ChartState } from './chart-keys.ts';

/** Alt shortcuts anywhere on the page, by key code: with Alt many keys type another character. */
export function useAltKeys(keys: Readonly<Record<string, () => void>>): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const run = keys[event.code];
      if (run === undefined || !event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', listen);
    };
  }, [keys]);
}

/** Whether something around the chart scrolls, which the wheel is for until the chart has the focus. */
function isInScroller(element: Element): boolean {
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    if (around.scrollHeight > around.clientHeight && ['auto', 'scroll'].includes(getComputedStyle(around).overflowY))
      return true;
  }
  return document.documentElement.scrollHeight > document.documentElement.clientHeight;
}

/** Not with React’s onWheel, which is passive and cannot prevent scrolling and browser zoom. */
export function useWheel(
  stage: RefObject<HTMLElement | null>,
  { chart, crosshair, count }: Omit<ChartState, 'chart'> & { readonly chart: ChartState['chart'] | null },
): void {
  useEffect(() => {
    const element = stage.current;
    if (element === null || chart === null) return undefined;
    const onWheel = (event: WheelEvent): void => {
      const zooms = element === document.activeElement || !isInScroller(element);
      if (wheelOnChart(event, { chart, crosshair, count }, { width: element.clientWidth, zooms }))
        event.preventDefault();
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      element.removeEventListener('wheel', onWheel);
    };
  }, [stage, chart, crosshair, count]);
}
