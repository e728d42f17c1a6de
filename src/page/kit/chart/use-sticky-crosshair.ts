import { useLayoutEffect, useRef } from 'react';
import type { Crosshair } from './crosshair.ts';
import type { ChartHandle } from './chart-handle.ts';
import type { Picture } from '#model/charts/picture.ts';
import { findAgain } from './view-window.ts';

interface StickyCrosshair extends Pick<Picture, 'times'> {
  readonly crosshair: Crosshair;
  readonly chart: ChartHandle | null;
}

/** Keeps the crosshair on the same time when the times change, unless it follows the pointer. */
export function useStickyCrosshair({ crosshair, chart, times }: StickyCrosshair): void {
  const last = useRef(times);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = times;
    const bar = crosshair.read();
    if (bar === null || crosshair.isFollowing()) return undefined;
    const moved = findAgain(bar, before, times);
    if (moved === bar && times.length === before.length) return undefined;
    crosshair.set(moved);
    // The library fits its view in the next frame; only then is the crosshair’s position known.
    const frame = requestAnimationFrame(() => {
      chart?.point(moved);
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [crosshair, chart, times]);
}
