import { useMemo } from 'react';
import { formatCount } from '#model/format/count.ts';
import { compareBooks, DIFFERENCES, type BookComparison } from '#model/orders/compare-books.ts';
import { filterColumn } from '#page/kit/grid/change-state.ts';
import type { GridMark, GridMarks } from '#page/kit/grid/grid-props.ts';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import type { ListControl } from '../list-state/use-list-state.ts';
import styles from '../shared/orders.module.css';
import { useOrderColumns } from '../shared/use-order-columns.ts';
import { toGridMark } from '../working/to-grid-marks.ts';
import { findUnchanged, withoutDifferences } from '#model/tables/orders/find-unchanged.ts';
import { createDifferenceColumns, toAddedColumns } from '#model/tables/orders/difference-columns.ts';
import { DIFFERENCE_NAMES } from '#model/tables/orders/difference-names.ts';
import { NothingChanged } from './nothing-changed.tsx';
import { PastList } from './past-list.tsx';
import type { StepFilter } from '#model/tables/orders/step-filter.ts';
import type { PastBook } from './use-book.ts';
import own from './travel.module.css';

interface ComparedListProps {
  readonly earlier: PastBook;
  readonly later: PastBook;
  readonly onFilter: (filter: StepFilter) => void;
}

/** The orders of two instants in one list, with what was added, changed and gone from the one to the other. */
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

/** How many orders differ in which way, each a filter that shows only them. */
function Counts({
  counts,
  list: { state, set },
}: {
  readonly counts: BookComparison['counts'];
  readonly list: ListControl;
}) {
  return (
    <span role="group" aria-label="Differences" className={own['counts']}>
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
