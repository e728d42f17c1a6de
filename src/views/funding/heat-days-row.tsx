import { memo, useEffect, useMemo } from 'react';
import type { RefObject } from 'react';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { formatDayIn } from '#ui/time/format-time.ts';
import { listHeatDays } from './heat-days.ts';
import { CELL } from './heat-paint.ts';
import styles from './heatmap.module.css';

interface HeatDaysRowProps {
  readonly boundaries: readonly number[];
  readonly scroller: RefObject<HTMLElement | null>;
  /** The room at its start under which the cells go. */
  readonly names: number;
}

/** What rounding takes from a name that is there in whole. */
const WHOLE = 0.99;

/** The days above the cells. What is left of one that goes under the names, or over an edge, would be another date: it is not shown. */
export const HeatDaysRow = memo(function HeatDaysRow({ boundaries, scroller, names }: HeatDaysRowProps) {
  const [zone] = useZone();
  const days = useMemo(() => listHeatDays(boundaries, (at) => formatDayIn(at, zone)), [boundaries, zone]);
  useEffect(() => {
    const observer = new IntersectionObserver(markCut, { root: scroller.current, rootMargin: `0px 0px 0px ${-names}px`, threshold: WHOLE });
    for (const day of scroller.current?.querySelectorAll('[data-day]') ?? []) observer.observe(day);
    return () => {
      observer.disconnect();
    };
  }, [days, scroller, names]);
  return (
    <div className={styles['days']} aria-hidden="true">
      {days.map(({ column, name }) => (
        <span key={boundaries[column]} data-day style={{ insetInlineStart: names + column * CELL }}>
          {name}
        </span>
      ))}
    </div>
  );
});

function markCut(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, intersectionRatio } of entries) target.toggleAttribute('data-cut', intersectionRatio < WHOLE);
}
