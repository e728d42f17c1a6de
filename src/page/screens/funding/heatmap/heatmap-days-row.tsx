import { memo, useEffect, useMemo } from 'react';
import type { RefObject } from 'react';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { formatDayIn } from '#model/format/format-time.ts';
import { keepReadable, listHeatmapDays } from '#model/tables/funding/heatmap-days.ts';
import styles from './heatmap.module.css';

interface HeatmapDaysRowProps {
  readonly fundingTimes: readonly number[];
  readonly scroller: RefObject<HTMLElement | null>;
  /** Width of the sticky symbols, which the cells scroll under. */
  readonly names: number;
  /** Of a column, in CSS pixels. */
  readonly width: number;
}

/** Below 1, as rounding may take a fraction of a fully visible name. */
const WHOLE = 0.99;

/** The days above the cells. A name that is cut off would read as another date, so it is hidden. */
export const HeatmapDaysRow = memo(function HeatmapDaysRow({
  fundingTimes,
  scroller,
  names,
  width,
}: HeatmapDaysRowProps) {
  const [zone] = useZone();
  const days = useMemo(
    () =>
      keepReadable(
        listHeatmapDays(fundingTimes, (at) => formatDayIn(at, zone)),
        { columns: fundingTimes.length, width },
      ),
    [fundingTimes, zone, width],
  );
  useEffect(() => {
    const observer = new IntersectionObserver(markCut, {
      root: scroller.current,
      rootMargin: `0px 0px 0px ${-names}px`,
      threshold: WHOLE,
    });
    for (const day of scroller.current?.querySelectorAll('[data-day]') ?? []) observer.observe(day);
    return () => {
      observer.disconnect();
    };
  }, [days, scroller, names]);
  return (
    <div className={styles['days']} aria-hidden="true">
      {days.map(({ column, name }) => (
        <span key={fundingTimes[column]} data-day style={{ insetInlineStart: names + column * width }}>
          {name}
        </span>
      ))}
    </div>
  );
});

function markCut(entries: readonly IntersectionObserverEntry[]): void {
  for (const { target, intersectionRatio } of entries) target.toggleAttribute('data-cut', intersectionRatio < WHOLE);
}
