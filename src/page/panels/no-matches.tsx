import type { ReactNode } from 'react';
import { countOf } from '#model/format/count.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';

type NoMatchesProps = {
  readonly clear: () => void;
  /** What may be meant instead. */
  readonly proposals?: ReactNode;
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
