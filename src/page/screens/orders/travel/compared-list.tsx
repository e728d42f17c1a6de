import { countOf, formatCount } from '#model/format/count.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { type Activity, useActivity } from './use-activity.ts';
import {
  createDifferenceColumns,
  DIFFERENCE_NAMES,
  findUnchanged,
  type StepFilter,
  toAddedColumns,
  type Unchanged,
  withoutDifferences,
} from '#model/tables/orders/differences.ts';
import type { PastBook } from './use-book.ts';
import { useMemo } from 'react';
import { type BookComparison, compareBooks, DIFFERENCES } from '#model/orders/past-books.ts';
import { filterColumn, type GridMark, type GridMarks } from '#page/kit/grid/grid-props.ts';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import styles from '../shared/orders.module.css';
import { useOrderColumns } from '../shared/use-order-columns.ts';
import { toGridMark } from '../working/use-order-list.ts';
import { PastList } from './past-list.tsx';
import own from './travel.module.css';

interface NothingChangedProps {
  readonly earlier: PastBook;
  readonly later: PastBook;
  readonly unchanged: Unchanged;
  readonly showAll: () => void;
}

/** States that two readings do not differ, with their times and what is unknown about the time between them. */
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

/** Lists the journal's gaps between two readings. */
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

interface ComparedListProps {
  readonly earlier: PastBook;
  readonly later: PastBook;
  readonly onFilter: (filter: StepFilter) => void;
}

/** Lists the orders of two instants together, marking what was added, changed and gone between them. */
export function ComparedList({ earlier, later, onFilter }: ComparedListProps) {
  const comparison = useMemo(() => compareBooks(earlier.rows, later.rows), [earlier, later]);
  const isNarrow = useMedia(NARROW);
  const orderColumns = useOrderColumns(comparison.rows);
  const columns = useMemo(
    () => [...createDifferenceColumns(comparison, isNarrow), ...orderColumns],
    [comparison, isNarrow, orderColumns],
  );
  const marks = useMemo(() => toMarks(comparison), [comparison]);
  const added = useMemo(() => toAddedColumns(comparison, earlier), [comparison, earlier]);
  const counts = (list: ListControl) => <Counts counts={comparison.counts} list={list} />;
  const sameFace = ({ state, set }: ListControl) => {
    const unchanged = findUnchanged(comparison, columns, state);
    const showAll = (): void => {
      set({ ...state, filters: withoutDifferences(state.filters) });
    };
    return unchanged === null ? undefined : (
      <NothingChanged earlier={earlier} later={later} unchanged={unchanged} showAll={showAll} />
    );
  };
  return (
    <PastList
      book={later}
      rows={comparison.rows}
      columns={columns}
      compared={{ book: earlier, marks, added, counts, sameFace }}
      onFilter={onFilter}
    />
  );
}

function toMarks({ differences }: BookComparison): GridMarks {
  const marked = new Map<string, GridMark | undefined>(
    [...differences].flatMap(([id, { kind, fields }]) => {
      if (kind === 'same') return [];
      return [[id, toGridMark(kind === 'changed' ? { kind, fields: new Set(fields) } : { kind })] as const];
    }),
  );
  return { get: (id) => marked.get(id), size: marked.size };
}

/** Shows the number of orders per kind of difference. Each is a filter that shows only those. */
function Counts({
  counts,
  list: { state, set },
}: {
  readonly counts: BookComparison['counts'];
  readonly list: ListControl;
}) {
  return (
    <span role="group" aria-label="Differences" className={own['counts']}>
      {countOf(counts.added + counts.changed + counts.gone, 'change')}:
      {DIFFERENCES.map((kind) => {
        const filter = { kind: 'is', texts: [DIFFERENCE_NAMES[kind]] } as const;
        const isOn = JSON.stringify(state.filters['change']) === JSON.stringify(filter);
        return (
          <button
            key={kind}
            type="button"
            className={styles['count']}
            aria-pressed={isOn}
            title={isOn ? 'Show all orders.' : 'Show only these.'}
            onClick={() => {
              set(filterColumn(state, 'change', isOn ? null : filter));
            }}
          >
            {formatCount(counts[kind])} {DIFFERENCE_NAMES[kind].toLowerCase()}
          </button>
        );
      })}
    </span>
  );
}
