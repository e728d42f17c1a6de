import { NO_VALUE } from '#domain/format-number.ts';
import { formatCountdown } from './format-time.ts';

/** Time to a boundary that was named; null: one that cannot be read. What is past is being settled, unless what named it is old. */
export function tellBoundary(ahead: { readonly secondsLeft: number } | null, isCurrent: boolean): string {
  if (ahead === null) return NO_VALUE;
  if (ahead.secondsLeft > 0) return formatCountdown(ahead.secondsLeft);
  return isCurrent ? 'settling' : NO_VALUE;
}
