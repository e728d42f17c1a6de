import type { ReactNode } from 'react';
import { formatDuration } from '#model/format/format-time.ts';
import { useNow } from '#page/kit/time/use-now.tsx';

interface RetryCountdownProps {
  readonly retryAt: number;
  /** Shown once the time has passed. */
  readonly children?: ReactNode;
}

/** A countdown to the next automatic retry. */
export function RetryCountdown({ retryAt, children }: RetryCountdownProps) {
  const seconds = Math.ceil((retryAt - useNow()) / 1_000);
  return <span>{seconds > 0 ? `Next retry in ${formatDuration(seconds)}.` : children}</span>;
}
