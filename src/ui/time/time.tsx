import type { ReactNode } from 'react';
import { formatInAllZones } from './format-time.ts';

interface TimeProps {
  /** Epoch milliseconds, or the wire's own text with all of its digits. */
  readonly at: number | string;
  /** How it is written, which may be no clock at all: `in 4 s`. */
  readonly children: ReactNode;
  /** What it is the time of, where what is written does not say it. */
  readonly of?: string;
  readonly className?: string | undefined;
}

/** A moment. Who points at it is told all three clocks, and only then: to have their words ready costs every start. */
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

/** None for what is no time: to write one would end the page. */
function toDateTime(at: number | string): string | undefined {
  if (typeof at === 'string') return at;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
