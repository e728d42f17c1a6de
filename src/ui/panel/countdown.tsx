import type { ReactNode } from 'react';
import { formatDuration } from '../time/format-time.ts';
import { useNow } from '../time/use-now.tsx';

interface CountdownProps {
  readonly retryAt: number;
  /** What stands there once it is time. */
  readonly children?: ReactNode;
}

/** When the page asks again by itself. */
export function Countdown({ retryAt, children }: CountdownProps) {
  const seconds = Math.ceil((retryAt - useNow()) / 1_000);
  return <span>{seconds > 0 ? `The page asks again in ${formatDuration(seconds)}.` : children}</span>;
}
