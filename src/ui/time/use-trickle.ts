import { useEffect, useState } from 'react';

/** Those of a step are drawn together. */
const STEP = 4;
const STEP_MS = 2_000;

/** The page's, not a screen's: going from one to another asks no faster. */
let nextAt = 0;

/** Counts up to `most`, a few at a time, so that what nobody waits for is not asked all at once. */
export function useTrickle(most: number): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (count >= most) return undefined;
    const step = (): void => {
      nextAt = performance.now() + STEP_MS;
      setCount(count + STEP);
    };
    const timer = setTimeout(step, nextAt - performance.now());
    return () => {
      clearTimeout(timer);
    };
  }, [count, most]);
  return Math.min(count, most);
}
