import type { ReactNode } from 'react';
import type { CountedDeviation } from '#contract/parsing/parse.ts';
import { countOf } from '#domain/format/count.ts';
import { EmptyState } from '#ui/empty-state.tsx';

interface UnknownSymbolProps {
  /** As in `product`. */
  readonly noun: string;
  /** From the address; empty where the address names none. */
  readonly name: string;
  /** How many there are to choose from. */
  readonly count: number;
}

/** Takes the place of a screen, below the field that chooses another symbol. */
export function UnknownSymbol({ noun, name, count }: UnknownSymbolProps) {
  return (
    <EmptyState title={name === '' ? `No ${noun} yet` : `No ${noun} “${name}”`}>
      <p>
        Choose another {noun} above, or type its name ({count} available).
      </p>
    </EmptyState>
  );
}

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
      <p>The exchange sent {countOf(count, 'row')}; none matches its interface.</p>
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
export function HiddenRowsNote({ count }: { readonly count: number }) {
  return count === 0 ? null : (
    <span>
      {countOf(count, 'row')} from the exchange failed validation and {count === 1 ? 'is' : 'are'} hidden.
    </span>
  );
}

type NoMatchesProps = {
  readonly clear: () => void;
} & (
  | {
      /** How many rows there are without the filter. */
      readonly total: number;
    }
  | {
      /** What was searched, where there may be more rows: a sentence. */
      readonly among: string;
    }
);

export function NoMatches(props: NoMatchesProps) {
  return (
    <EmptyState title="No matches for this filter">
      <p>{'among' in props ? props.among : `Without the filter: ${String(props.total)}.`}</p>
      <button type="button" onClick={props.clear}>
        Clear filter
      </button>
    </EmptyState>
  );
}
