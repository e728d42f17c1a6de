import type { DeskJournalOrder } from '#contract/desk/journal.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';

/** An order that the journal has nothing of. */
export function NoLife({ kept_from: from }: Pick<DeskJournalOrder, 'kept_from'>) {
  return (
    <EmptyState title="Not in the journal">
      {from === null ? (
        <p>The journal has no reading of working orders yet.</p>
      ) : (
        <p>
          No reading has shown this order as working since <Timestamp at={from} />, when the journal begins.
        </p>
      )}
    </EmptyState>
  );
}
