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

/** Not with React’s onWheel, which is passive and cannot prevent scrolling and browser zoom. */
export function useWheel(stage: RefObject<HTMLElement | null>, { chart, crosshair, count }: Omit<ChartState, 'chart'> & { readonly chart: ChartState['chart'] | null }): void {
  useEffect(() => {
    const element = stage.current;
    if (element === null || chart === null) return undefined;
    const onWheel = (event: WheelEvent): void => {
      if (wheelOnChart(event, { chart, crosshair, count }, element.clientWidth)) event.preventDefault();
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      element.removeEventListener('wheel', onWheel);
    };
  }, [stage, chart, crosshair, count]);
}
