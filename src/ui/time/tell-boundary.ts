import { NO_VALUE } from '#domain/format-number.ts';
import { formatCountdown } from './format-time.ts';

interface Ahead {
  readonly secondsLeft: number;
  /** Long enough ago to tell of no boundary to come. */
  readonly isOver: boolean;
}

/** Time to a boundary that was named; null: none was. What has just ended is being settled. */
export function tellBoundary(ahead: Ahead | null): string {
  if (ahead === null || ahead.isOver) return NO_VALUE;
  return ahead.secondsLeft > 0 ? formatCountdown(ahead.secondsLeft) : 'settling';
}
