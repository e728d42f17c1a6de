import { NO_VALUE } from '#domain/format-number.ts';
import { formatCountdown } from './format-time.ts';

interface Ahead {
  readonly secondsLeft: number;
  /** Long enough ago to tell of no boundary to come. */
  readonly isOver: boolean;
}

/** Time to a boundary that was named; null: none was. What has just ended is being settled. */
export function tellBoundary(ahead: Ahead | null, isAwaited = false): string {
  if (ahead === null || ahead.isOver) return tellUnknown(isAwaited);
  return ahead.secondsLeft > 0 ? formatCountdown(ahead.secondsLeft) : 'settling';
}

/** Stands for what is not told, and tells apart what may yet be. */
export function tellUnknown(isAwaited: boolean): string {
  return isAwaited ? '…' : NO_VALUE;
}
