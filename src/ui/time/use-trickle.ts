import { useEffect, useState } from 'react';

const STEP_MS = 500;

/** Counts up to `most`, a step at a time, so that what nobody waits for is not asked all at once. */
export function useTrickle(most: number): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (count >= most) return undefined;
    const timer = setTimeout(() => {
      setCount(count + 1);
    }, STEP_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [count, most]);
  return Math.min(count, most);
}
