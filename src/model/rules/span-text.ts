import { countOf } from '../format/count.ts';
import { MISSING } from './sentence-part.ts';

/** Units of a span of time, the longest first. */
export const SPAN_UNITS = [
  { seconds: 86_400, name: 'day' },
  { seconds: 3_600, name: 'hour' },
  { seconds: 60, name: 'minute' },
  { seconds: 1, name: 'second' },
] as const;
export type SpanUnit = (typeof SPAN_UNITS)[number];

/** The longest unit that a span is a whole number of. */
export function unitOfSpan(seconds: number): SpanUnit {
  return SPAN_UNITS.find((unit) => seconds > 0 && seconds % unit.seconds === 0) ?? SPAN_UNITS[3];
}

/** `2 minutes`. */
export function formatSpan(seconds: number): string {
  if (!Number.isFinite(seconds)) return MISSING;
  const unit = unitOfSpan(seconds);
  return countOf(seconds / unit.seconds, unit.name);
}
