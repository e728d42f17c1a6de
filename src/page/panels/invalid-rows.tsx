import type { ReactNode } from 'react';
import type { CountedDeviation } from '#contract/parse/parse.ts';
import { countOf } from '#model/format/count.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';

export interface InvalidRowsProps {
  /** What a row is, as in `order`. */
  readonly noun: string;
  readonly count: number;
  readonly deviations: readonly CountedDeviation[];
  /** What follows from it, and what can be done. */
  readonly children?: ReactNode;
}

/** The exchange sent rows, but none passed validation: that is not the same as no data. */
export function InvalidRows({ noun, count, deviations, children }: InvalidRowsProps) {
  return (
    <EmptyState title={`No valid ${noun} received`}>
      <p>
        The exchange sent {countOf(count, 'row')}; {count === 1 ? 'it' : 'all'} failed validation.
      </p>
      <ul>
        {deviations.slice(0, 5).map(({ kind, place, expected, found }) => (
          <li key={`${kind} ${place}`}>
            {place}: expected {expected}, found {found}
          </li>
        ))}
      </ul>
      {children}
    </EmptyState>
  );
}

/** How many rows are missing from a list because they failed validation. */
export function LeftOutNote({ count }: { readonly count: number }) {
  return count === 0 ? null : (
    <span>
      {countOf(count, 'row')} from the exchange failed validation and {count === 1 ? 'is' : 'are'} left out.
    </span>
  );
}
