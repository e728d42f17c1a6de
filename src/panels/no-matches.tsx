import { EmptyState } from '#ui/empty-state.tsx';

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
