import type { ReactNode } from 'react';
import { countOf } from '#model/format/count.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import type { CountedDeviation } from '#contract/parse/parse.ts';

type NoMatchesProps = {
  readonly clear: () => void;
  /** Suggestions of what the user may have meant. */
  readonly proposals?: ReactNode;
} & (
  | {
      /** Number of rows without the filter. */
      readonly total: number;
    }
  | {
      /** A sentence about what was searched, if there may be more rows. */
      readonly among: string;
    }
);

export function NoMatches(props: NoMatchesProps) {
  return (
    <EmptyState title="No matches for this filter">
      <p>{'among' in props ? props.among : describeHidden(props.total)}</p>
      {props.proposals}
      <button type="button" onClick={props.clear}>
        Clear filter
      </button>
    </EmptyState>
  );
}

function describeHidden(total: number): string {
  return total === 1 ? 'The filter hides the only row.' : `The filter hides all ${countOf(total, 'row')}.`;
}

export interface InvalidRowsProps {
  /** The noun for a row, such as `order`. */
  readonly noun: string;
  readonly count: number;
  readonly deviations: readonly CountedDeviation[];
  /** The consequence, and what the user can do. */
  readonly children?: ReactNode;
}

/** Says that the exchange sent rows but none passed validation, which is not the same as no data. */
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

/** Says how many rows a list leaves out because they failed validation. */
export function LeftOutNote({ count }: { readonly count: number }) {
  return count === 0 ? null : (
    <span>
      {countOf(count, 'row')} from the exchange failed validation and {count === 1 ? 'is' : 'are'} left out.
    </span>
  );
}

interface UnknownSymbolProps {
  /** The noun, such as `product`. */
  readonly noun: string;
  /** The name in the address; empty if there is none. */
  readonly name: string;
  /** Number of symbols to choose from. */
  readonly count: number;
  /** Suggestions of what the name may refer to. */
  readonly proposals?: ReactNode;
}

/** Stands in for a screen, below the field that chooses another symbol. */
export function UnknownSymbol({ noun, name, count, proposals }: UnknownSymbolProps) {
  return (
    <EmptyState title={name === '' ? `No ${noun}s listed` : `No ${noun} “${name}”`}>
      {proposals}
      <p>
        Choose or type another {noun} above ({count} available).
      </p>
    </EmptyState>
  );
}
