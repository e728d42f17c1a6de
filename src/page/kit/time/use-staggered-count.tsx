import { createContext, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useRequiredContext } from '../use-required-context.ts';
import type { Throttle } from './throttle.ts';

const ThrottleContext = createContext<Throttle | null>(null);

export function ThrottleProvider({
  throttle,
  children,
}: {
  readonly throttle: Throttle;
  readonly children: ReactNode;
}) {
  return <ThrottleContext value={throttle}>{children}</ThrottleContext>;
}

const STEP = 4;

/** Counts up to `total` a few at a time, to spread out background requests. */
export function useStaggeredCount(total: number): number {
  const throttle = useRequiredContext(ThrottleContext, 'throttle');
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (count >= total) return undefined;
    return throttle.next(() => {
      setCount(count + STEP);
    });
  }, [throttle, count, total]);
  return Math.min(count, total);
}
