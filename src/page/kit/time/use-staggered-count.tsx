import { createContext, type ReactNode, useEffect, useState } from 'react';
import { useRequiredContext } from '../use-required-context.ts';

/** At four per step, seventeen perpetuals are read within about two seconds. */
const STEP_MS = 500;

/** Spaces out steps. The whole page shares one, so that switching screens does not speed it up. */
export interface Throttle {
  /** Calls back when the next step is allowed, unless cancelled before. */
  readonly next: (step: () => void) => () => void;
}

interface ThrottleInputs {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Calls back after a delay unless cancelled. */
  readonly setTimer: (ms: number, call: () => void) => () => void;
}

export function createThrottle({ now, setTimer }: ThrottleInputs): Throttle {
  let nextAt = 0;
  return {
    next: (step) =>
      setTimer(Math.max(0, nextAt - now()), () => {
        nextAt = now() + STEP_MS;
        step();
      }),
  };
}

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
