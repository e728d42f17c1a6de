import { useEffect, type RefObject } from 'react';
import { turnOnChart, type ChartState } from './chart-keys.ts';

/** Listens by hand: only so may a turn that is the chart's be kept from the page, and from the browser's own zoom. */
export function useWheel(stage: RefObject<HTMLElement | null>, { drawing, cursor, count }: Omit<ChartState, 'drawing'> & { readonly drawing: ChartState['drawing'] | null }): void {
  useEffect(() => {
    const element = stage.current;
    if (element === null || drawing === null) return undefined;
    const turn = (event: WheelEvent): void => {
      if (turnOnChart(event, { drawing, cursor, count }, element.clientWidth)) event.preventDefault();
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => {
      element.removeEventListener('wheel', turn);
    };
  }, [stage, drawing, cursor, count]);
}
