import { useEffect, useRef } from 'react';
import { useAnnounce } from './live-region.tsx';

/** What a filter leaves is told to those who cannot see it as it becomes another, not of what was there from the beginning. */
export function useToldCount(count: number, total: number, noun: string): void {
  const announce = useAnnounce();
  const told = useRef(count);
  useEffect(() => {
    if (count !== told.current && count < total) announce(`${String(count)} of ${String(total)} ${noun}`);
    told.current = count;
  }, [count, total, noun, announce]);
}
