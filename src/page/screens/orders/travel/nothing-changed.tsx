import { countOf } from '#model/format/count.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { useActivity, type Activity } from './use-activity.ts';
import type { Unchanged } from '#model/tables/orders/find-unchanged.ts';
import type { PastBook } from './use-book.ts';

interface NothingChangedProps {
  readonly earlier: PastBook;
  readonly later: PastBook;
  readonly unchanged: Unchanged;
  readonly showAll: () => void;
}

/** Two readings without a difference: of which times, and what is not known of the time between them. */
export function NothingChanged({ earlier, later, unchanged: { rows, isFiltered }, showAll }: NothingChangedProps) {
  const count = rows.length;
  const isOneReading = earlier.readTo === later.readTo;
  const isWhole = earlier.completeness.complete && later.completeness.complete;
  return (
    <EmptyState title={`${isWhole ? 'Nothing changed' : 'No difference found'}${isFiltered ? ' for this filter' : ''}`}>
      <p>
        {isOneReading ? (
          <>
            Both times have the same reading, from <Timestamp at={later.readTo} />: nothing was read in between.
          </>
        ) : (
          <>
            The readings of <Timestamp at={earlier.readTo} /> and <Timestamp at={later.readTo} /> show the same{' '}
            {count === 0 ? 'empty list' : countOf(count, 'working order')}
            {isFiltered && (count === 1 ? ' that matches the filter' : ' that match the filter')}. A change in between
            that was undone does not show.
          </>
        )}
      </p>
      {!isWhole && <p>A reading was incomplete: orders that it did not cover may have changed.</p>}
      {!isOneReading && <Between from={earlier.readTo} to={later.readTo} />}
      {count > 0 && (
        <button type="button" onClick={showAll}>
          Show unchanged orders
        </button>
      )}
    </EmptyState>
  );
}

/** Gaps of the journal between two readings. */
function Between({ from, to }: { readonly from: number; readonly to: number }) {
  const { buckets, gaps, hasFailed } = useActivity({ from, to }, null);
  if (hasFailed) return <p>Whether there was a gap in between is unknown: the journal could not be read.</p>;
  if (buckets === null) return <p>Reading gaps…</p>;
  return gaps.filter((gap) => gap.from < to && gap.to > from).map((gap) => <Gap key={gap.from} gap={gap} />);
}

function Gap({ gap: { from, to } }: { readonly gap: Activity['gaps'][number] }) {
  return (
    <p>
      Gap: nothing was read from <Timestamp at={from} /> to <Timestamp at={to} />.
    </p>
  );
}
