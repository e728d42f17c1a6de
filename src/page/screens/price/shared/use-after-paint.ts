import { startTransition, useEffect, useState } from 'react';

/**
 * Returns a value only after the frame that shows it has been painted; useDeferredValue would render, and block the
 * page, earlier. It waits two frames, because a chart draws itself one frame after React's commit.
 */
export function useAfterPaint<T>(value: T, before: T): T {
  const [painted, setPainted] = useState(before);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => {
          startTransition(() => {
            setPainted(value);
          });
        });
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [value]);
  return painted;
}
