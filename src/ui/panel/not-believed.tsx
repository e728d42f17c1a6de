import type { ReactNode } from 'react';
import { countOf } from '#domain/format-count.ts';
import { Nothing } from './panel-body.tsx';
import type { Deviation } from './panel-query.ts';

export interface NotBelievedProps {
  /** What a row is, as in `order`. */
  readonly noun: string;
  readonly count: number;
  readonly deviations: readonly Deviation[];
  /** What follows from it, and what can be done. */
  readonly children?: ReactNode;
}

/** Rows came, and none of them is what the interface promises: that is not the same as nothing. */
export function NotBelieved({ noun, count, deviations, children }: NotBelievedProps) {
  return (
    <Nothing title={`No ${noun} that came can be believed`}>
      <p>{countOf(count, 'row')} came, and none is what the interface promises.</p>
      <ul>
        {deviations.slice(0, 5).map(({ kind, place, expected, found }) => (
          <li key={`${kind} ${place}`}>
            {place}: expected {expected}, found {found}
          </li>
        ))}
      </ul>
      {children}
    </Nothing>
  );
}
