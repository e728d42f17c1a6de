import { createContext, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { useProvided } from '../use-provided.ts';
import type { Pace } from './pace.ts';

const PaceContext = createContext<Pace | null>(null);

export function PaceProvider({ pace, children }: { readonly pace: Pace; readonly children: ReactNode }) {
  return <PaceContext value={pace}>{children}</PaceContext>;
}

/** Those of a step are drawn together. */
const STEP = 4;

/** Counts up to `most`, a few at a time, so that what nobody waits for is not asked all at once. */
export function useTrickle(most: number): number {
  const pace = useProvided(PaceContext, 'pace');
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (count >= most) return undefined;
    return pace.next(() => {
      setCount(count + STEP);
    });
  }, [pace, count, most]);
  return Math.min(count, most);
}
