import { startTransition, useEffect, useState } from 'react';

/**
 * A value as it was when it had been painted: a deferred one would be rendered, and hold the page up, before that. What
 * draws by itself is only made for the first frame, and is in sight with the second.
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
