import { useLayoutEffect, useRef } from 'react';
import type { Cursor } from './cursor.ts';
import type { Drawing } from './drawing.ts';
import type { Picture } from './picture.ts';
import { findAgain } from './view-window.ts';

interface KeptBar extends Pick<Picture, 'times'> {
  readonly cursor: Cursor;
  readonly drawing: Drawing | null;
}

/** The cursor is a place among the times: when they become others it stays with its time. */
export function useKeptBar({ cursor, drawing, times }: KeptBar): void {
  const last = useRef(times);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = times;
    const bar = cursor.read();
    if (bar === null) return undefined;
    const kept = findAgain(bar, before, times);
    if (kept === bar && times.length === before.length) return undefined;
    cursor.set(kept);
    // The view is fitted to other times with the next frame; only then is it known where the crosshair belongs.
    const frame = requestAnimationFrame(() => {
      drawing?.point(kept);
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, [cursor, drawing, times]);
}
