import { startTransition, useEffect, useState } from 'react';
import type { TableSection } from './sortable-column.ts';

export const ROW_PX = 28;
/** What stands above the first row of any table at least: the bar, a line of tools, the head. */
const ABOVE_PX = 120;

/**
 * How many rows to draw: at first those that a window holds. The rest is begun when they are painted, and drawn in small
 * steps that keys and pointer come between.
 */
export function useInSightFirst(): number {
  // Of the screen and not of the window, which to be measured would have to be laid out.
  const [count, setCount] = useState(() => Math.ceil((screen.height - ABOVE_PX) / ROW_PX));
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      startTransition(() => {
        setCount(Infinity);
      });
    });
    return () => {
      cancelAnimationFrame(frame);
    };
  }, []);
  return count;
}

/** Sections with their first rows, so many in all. */
export function takeRows<Row>(sections: readonly TableSection<Row>[], count: number): readonly TableSection<Row>[] {
  if (count === Infinity) return sections;
  let left = count;
  return sections.map((section) => {
    const rows = section.closed === true ? [] : section.rows.slice(0, left);
    left -= rows.length;
    return { ...section, rows };
  });
}
