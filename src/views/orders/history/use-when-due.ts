import { useEffect } from 'react';
import { useDoor } from '#api/react.tsx';

/** Does something when its time has come, in epoch milliseconds, or as soon after as anybody looks at the page. Infinity: never. */
export function useWhenDue(dueAt: number, act: () => void): void {
  const { now } = useDoor();
  useEffect(() => {
    if (!Number.isFinite(dueAt)) return undefined;
    let isDue = false;
    const actInSight = (): void => {
      if (!isDue || document.hidden) return;
      isDue = false;
      act();
    };
    const timer = setTimeout(() => {
      isDue = true;
      actInSight();
    }, Math.max(0, dueAt - now()));
    document.addEventListener('visibilitychange', actInSight);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', actInSight);
    };
  }, [dueAt, act, now]);
}
