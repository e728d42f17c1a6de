import { useMemo, useRef } from 'react';
import type { ApiResponse } from '#model/response.ts';
import type { DeskRequestOf } from '#page/client/create-api.ts';
import type { DeskJournalActivity } from '#contract/desk/journal.ts';
import type { Instant } from '#contract/exchange/instant.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { createTerms } from '#model/orders/order-terms.ts';
import { ErrorState, Skeleton } from '#page/panels/panel-body.tsx';
import { NoMatches } from '#page/panels/missing-rows.tsx';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import type { CellTooltip } from '#model/tables/cell-tooltip.ts';
import type { GridCell, GridHandle } from '#page/kit/grid/grid-props.ts';
import { sparseRows } from '#model/tables/arrange-rows.ts';
import { Grid } from '#page/kit/grid/grid.tsx';
import { useGridKeys, useGridTooltips } from '#page/kit/grid/use-stored-grid.tsx';
import { useNavigator } from '#page/kit/navigation.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { formatInAllZones, formatInstant } from '#model/format/format-time.ts';
import { toLifeAddress } from '../shared/order-links.tsx';
import type { ListControl } from '../list-state/use-list-state.ts';
import { usePastTerms } from '../shared/use-order-terms.ts';
import { toChangesCsv } from './activity-csv.ts';
import type { ActivityScope } from './activity-scope.ts';
import { toChangeRow, type ChangeRow, type createChangeColumns } from './change-columns.ts';
import { useChanges, type ChangeList, type ListedChange } from './use-changes.ts';
import styles from './activity.module.css';

/** Shows prices in ticks until the products have been read, and if reading them fails. */
const IN_TICKS = createTerms([], () => null);

interface ChangesListProps {
  readonly response: ApiResponse<DeskJournalActivity>;
  readonly list: ListControl;
  readonly columns: ReturnType<typeof createChangeColumns>;
  readonly scope: ActivityScope;
  /** The request without its page; the same object while unchanged. */
  readonly request: DeskRequestOf<'journalChanges'>;
  /** The current end of the window; undefined if it ends now. */
  readonly end: Instant | undefined;
  readonly isFiltered: boolean;
  readonly clear: () => void;
}

/** Lists the changes, newest first, as they are read. */
export function ChangesList({ response, list, columns, scope, request, end, isFiltered, clear }: ChangesListProps) {
  const found = useChanges(request, { readTo: response.value.read_to, end });
  const grid = useRef<GridHandle>(null);
  const { changes, waiting, hasMoreNewer, hasOlder } = found;
  const set =
    `${hasOlder ? 'the newest' : 'all'} ` +
    `${formatCount(changes.length)}${waiting > 0 || hasMoreNewer ? ', without newer ones' : ''}`;
  return (
    <section className={styles['changes']} aria-label="Changes">
      <div className={styles['line']}>
        <Newer found={found} grid={grid} />
        {found.isRead && (
          <ExportMenu
            of="changes"
            fileName={`changes-${(response.value.read_to ?? '').replaceAll(':', '').slice(0, 17)}`}
            write={(form) => toChangesCsv(form, changes, { activity: response.value, scope, set })}
          />
        )}
      </div>
      {found.isRead && changes.length === 0 && !hasOlder ? (
        <NoChanges isFiltered={isFiltered} clear={clear} />
      ) : (
        <Rows found={found} list={list} columns={columns} request={request} grid={grid} />
      )}
      <Foot found={found} request={request} />
    </section>
  );
}

function Rows({
  found,
  list,
  columns,
  request,
  grid,
}: Pick<ChangesListProps, 'list' | 'columns' | 'request'> & {
  readonly found: ChangeList;
  readonly grid: React.RefObject<GridHandle | null>;
}) {
  const { changes, hasOlder, readOlder, hold, error, failedAt, isReading, restart } = found;
  const navigator = useNavigator();
  const { termsAt } = usePastTerms(changes.length > 0);
  const termsOf = useMemo(() => termsAt?.(() => null) ?? IN_TICKS, [termsAt]);
  const rows = useMemo(() => {
    const made = new Map<ListedChange, ChangeRow>();
    const rowAt = (place: number): ChangeRow | undefined => {
      const change = changes[place];
      if (change === undefined) return undefined;
      const row = made.get(change) ?? toChangeRow(change, termsOf);
      made.set(change, row);
      return row;
    };
    return sparseRows({ rowCount: changes.length, mayGrow: hasOlder, rowAt, keyOf, queryKey: request });
  }, [changes, hasOlder, termsOf, request]);
  const tooltips = useGridTooltips(explainChange);
  const letters = useGridKeys();
  if (!found.isRead && error !== null)
    return <ErrorState error={error} failedAt={failedAt} isFetching={isReading} retry={restart} />;
  if (!found.isRead) return <Skeleton />;
  return (
    <div className={styles['list']} data-stale={error !== null}>
      <Grid
        label="Changes"
        table={{ columns, state: list.state, set: list.set }}
        rows={rows}
        letters={letters}
        filters={false}
        handle={grid}
        onNearEnd={readOlder}
        onWindow={(first, last) => {
          hold(first > 0);
          if (last >= changes.length - 1) readOlder();
        }}
        onOpen={({ change }) => {
          navigator.go(toLifeAddress(change.order_id));
        }}
        {...tooltips}
      />
    </div>
  );
}

function keyOf({ key }: ChangeRow): string {
  return key;
}

function Newer({
  found: { waiting, hasMoreNewer, hold, restart },
  grid,
}: {
  readonly found: ChangeList;
  readonly grid: React.RefObject<GridHandle | null>;
}) {
  const isAny = waiting > 0 || hasMoreNewer;
  return (
    <button
      type="button"
      className={styles['newer']}
      aria-disabled={!isAny}
      data-any={isAny}
      onClick={() => {
        if (hasMoreNewer) restart();
        hold(false);
        grid.current?.focus();
        grid.current?.goTo(0);
      }}
    >
      {hasMoreNewer ? 'Many new' : isAny ? `${formatCount(waiting)} new` : 'Newest on top'}
    </button>
  );
}

function NoChanges({ isFiltered, clear }: { readonly isFiltered: boolean; readonly clear: () => void }) {
  if (isFiltered) return <NoMatches among="No change in this period matches the filters and kinds." clear={clear} />;
  return (
    <EmptyState title="No changes in this period">
      <p>No reading of working orders showed a change. Changes appear here as readings show them.</p>
    </EmptyState>
  );
}

function Foot({
  found: { changes, hasOlder, isRead, isReading, error, restart },
  request: { begin_time: begin },
}: {
  readonly found: ChangeList;
  readonly request: ChangesListProps['request'];
}) {
  const [zone] = useZone();
  if (!isRead) return null;
  const since = begin === undefined ? '' : ` since ${formatInstant(Date.parse(begin), zone)}`;
  return (
    <footer className={styles['foot']}>
      <span>
        {hasOlder
          ? `The newest ${countOf(changes.length, 'change')}; older ones load as you scroll.`
          : `All ${countOf(changes.length, 'change')}${since}.`}
      </span>
      {isReading && <span>Reading…</span>}
      {error !== null && (
        <span role="alert">
          Not refreshed: {error.message}{' '}
          <button type="button" onClick={restart}>
            Retry
          </button>
        </span>
      )}
      <span>Enter or a double click opens the life of an order.</span>
    </footer>
  );
}

function explainChange({ row: { change, source }, column, row }: GridCell<ChangeRow>): CellTooltip {
  return {
    title: `${column.title}: ${column.text(row)}`,
    facts: [
      { name: 'Kind', value: change.kind, code: true },
      { name: 'Fields', value: change.fields.join(', ') || '–', code: true },
      {
        name: 'Happened after',
        value: change.read_after === null ? 'No reading before' : formatInAllZones(change.read_after),
      },
      { name: 'Happened before', value: formatInAllZones(change.read_by) },
      { name: 'Endpoint', value: `GET ${source.target}`, code: true },
      { name: 'Received', value: formatInAllZones(source.receivedAt) },
    ],
  };
}
