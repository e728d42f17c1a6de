import type { ReactNode } from 'react';
import { formatInAllZones } from '#model/format/format-time.ts';

interface TimeProps {
  /** Epoch milliseconds, or the exchange’s own text with all of its digits. */
  readonly at: number | string;
  /** The text, which need not be a clock time: `in 4 s`. */
  readonly children: ReactNode;
  /** Names the event in the tooltip, if the text alone does not. */
  readonly of?: string;
  readonly className?: string | undefined;
}

/** A time with all three zones in its tooltip, which is written only on hover because formatters are expensive. */
export function Time({ at, children, of, className }: TimeProps) {
  return (
    <time
      className={className}
      dateTime={toDateTime(at)}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = `${of === undefined ? '' : `${of}\n`}${formatInAllZones(at)}`;
      }}
    >
      {children}
    </time>
  );
}

/** Undefined for an invalid time: `toISOString` would throw. */
function toDateTime(at: number | string): string | undefined {
  if (typeof at === 'string') return at;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
