import { formatCount } from '#model/format/count.ts';
import { isPresent, type OrderRow } from '#model/orders/order-row.ts';
import { FactList } from '#page/kit/fact-list.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { LazyOrderDetail, PanelFrame } from '../beside/panel-frame.tsx';
import { ProductDoubts } from '../shared/product-doubts.tsx';
import styles from '../shared/orders.module.css';
import type { PanelName } from '../beside/panel-params.ts';
import { CompletenessBadge } from '../working/completeness.tsx';
import { toPastWord } from '#model/orders/working-set.ts';
import type { Compared, PastBook } from './use-book.ts';
import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { Time } from '#page/kit/time/time.tsx';
import { CHECK_LIMITED } from '../shared/use-order-terms.ts';
import { Totals } from '../working/totals.tsx';
import { addCodes } from '#model/orders/order-fields.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import type { GridCell, GridTable } from '#page/kit/grid/grid-props.ts';
import { Grid } from '#page/kit/grid/grid.tsx';
import { toRowFilter } from '#model/tables/row-filter.ts';
import { lazy, lazyOverlay } from '#page/kit/lazy.tsx';
import { useProvideCommands } from '#page/kit/commands.tsx';
import { useLoadErrorToast } from '#page/kit/toast.tsx';
import { useStable } from '#page/kit/use-stable.ts';
import { NoMatches } from '#page/panels/missing-rows.tsx';
import type { Column } from '#model/tables/orders/column-kinds.ts';
import { LinkFace } from '../list-state/link-face.tsx';
import { useListState } from '../list-state/use-list-state.ts';
import { columnCommands } from '../saved-views/order-commands.ts';
import { useOrderList } from '../working/use-order-list.ts';
import { PanelButtons, WorkingTools } from '../working/working-tools.tsx';
import { type StepFilter, toStepFilter } from '#model/tables/orders/differences.ts';

interface PastPanelProps {
  readonly panel: Exclude<PanelName, 'none'>;
  readonly close: () => void;
  readonly rows: readonly OrderRow[];
  readonly matching: readonly OrderRow[];
  readonly orderId: string;
  readonly openOrder: (id: string) => void;
  readonly book: PastBook;
  readonly table: GridTable<OrderRow>;
}

const DepthPanel = lazy(async () => (await import('../beside/depth-panel.tsx')).DepthPanel);
const ExposurePanel = lazy(async () => (await import('../beside/exposure-panel.tsx')).ExposurePanel);

const TITLES = {
  order: 'Order then',
  depth: 'Depth of your orders then',
  exposure: 'Exposure by account then',
  proof: 'The reading',
} as const;

/** Shows the panel beside the list, for the same time as the list. */
function PastPanel({ panel, close, rows, matching, orderId, openOrder, book, table }: PastPanelProps) {
  return (
    <PanelFrame title={TITLES[panel]} isWide={panel === 'exposure'} close={close}>
      {panel === 'order' && <LazyOrderDetail rows={rows} orderId={orderId} open={openOrder} isPast />}
      {panel === 'depth' && <DepthPanel rows={matching} />}
      {panel === 'exposure' &&
        (book.pricesMissing === null ? (
          <ExposurePanel rows={rows} {...table} shown={book} word={toPastWord([book])} />
        ) : (
          <p className={styles['quiet']}>Exposure is valued at market prices. {book.pricesMissing}</p>
        ))}
      {panel === 'proof' && <Reading book={book} />}
    </PanelFrame>
  );
}

/** Describes the reading behind the list, and what is known of its completeness. */
function Reading({
  book: { completeness, nextReadAt, pricesAt, pricesMissing, source, deviationTexts },
}: {
  readonly book: PastBook;
}) {
  const issues = [...completeness.reasons, ...deviationTexts];
  return (
    <>
      <FactList
        facts={[
          { name: 'Result', value: <CompletenessBadge completeness={completeness} isStale={false} /> },
          { name: 'Orders', value: formatCount(completeness.orders) },
          { name: 'First part read', value: <Timestamp at={completeness.readFrom} />, code: true },
          { name: 'Last part read', value: <Timestamp at={completeness.readTo} />, code: true },
          { name: 'Next reading', value: nextReadAt === null ? 'none yet' : <Timestamp at={nextReadAt} />, code: true },
          {
            name: 'Market prices read',
            value: pricesAt === null ? (pricesMissing ?? 'none') : <Timestamp at={pricesAt} />,
          },
          { name: 'Request', value: `GET ${source.target}`, code: true },
        ]}
      />
      {issues.length > 0 && (
        <ul className={styles['sentences']}>
          {issues.map((issue) => (
            <li key={issue}>{issue}</li>
          ))}
        </ul>
      )}
    </>
  );
}

interface PastFooterProps {
  readonly book: PastBook;
  readonly matching: readonly OrderRow[];
  readonly selected: readonly OrderRow[];
  /** The grid's last message, such as a note on what was copied. */
  readonly message: string;
  readonly counts: ReactNode;
}

function PastFooter({ book, matching, selected, message, counts }: PastFooterProps) {
  const at = book.completeness.readTo ?? '';
  return (
    <footer className={styles['footer']}>
      <span>
        <b>{formatCount(matching.length)}</b> of <b>{formatCount(book.rows.length)}</b> shown
        {selected.length > 0 && `, ${formatCount(selected.length)} selected`}
      </span>
      {counts}
      <CompletenessBadge completeness={book.completeness} isStale={false} />
      <Time at={at}>as of {at.slice(11)}</Time>
      {book.isCheckLimited && <span>{CHECK_LIMITED}</span>}
      {message !== '' && <span>{message}</span>}
      <Totals rows={selected.length > 0 ? selected : matching} ofSelected={selected.length > 0} source={book.source} />
    </footer>
  );
}

const PastEvidence = lazyOverlay(async () => (await import('./past-evidence.tsx')).PastEvidence);
const ExportPastDialog = lazyOverlay(async () => (await import('./export-past-dialog.tsx')).ExportPastDialog);

/** A comparison offers no evidence. */
function toEvidence(compared: Compared | undefined, parts: Omit<Parameters<typeof PastEvidence>[0], 'close'>) {
  if (compared !== undefined) return {};
  return { evidenceDialog: (close: () => void) => <PastEvidence {...parts} close={close} /> };
}

interface PastListProps {
  readonly book: PastBook;
  /** The rows of the book, and those that a comparison adds. */
  readonly rows: readonly OrderRow[];
  readonly columns: readonly Column[];
  readonly compared?: Compared;
  /** Reports the list's filter, which limits the steps from change to change. */
  readonly onFilter: (filter: StepFilter) => void;
}

/** Lists the working orders of an earlier time. */
export function PastList({ book, rows: all, columns, compared, onFilter }: PastListProps) {
  const list = useListState(
    columns,
    useSeenCodes(book.rows),
    'orders',
    compared === undefined ? 'orders' : 'orders-compared',
  );
  const { state, set } = list;
  const table = { columns, state, set };
  const isResolved = list.link.is === 'resolved';
  const explain = useCallback(
    async (cell: GridCell<OrderRow>) => (await import('./explain-past-cell.ts')).explainPastCell(cell, book),
    [book],
  );
  const { rows, matching, selected, message, panel, orderId, setOrderId, closePanel, escape, tools, gridProps } =
    useOrderList({ table, all: isResolved ? all : NO_ROWS, total: book.rows.length, explain });
  const notLoaded = useLoadErrorToast();
  useProvideCommands(() => columnCommands(table, notLoaded));
  const filter = useStable(toStepFilter(state));
  useEffect(() => {
    onFilter(filter);
  }, [onFilter, filter]);
  const clear = (): void => {
    set({ ...state, filters: {}, quick: '' });
  };
  return (
    <>
      <WorkingTools
        list={list}
        {...tools}
        all={all}
        exportDialog={(close) => (
          <ExportPastDialog
            rows={[...matching, ...findGone(all, table)]}
            total={all.length}
            book={book}
            compared={compared}
            columns={columns}
            state={state}
            close={close}
          />
        )}
        {...toEvidence(compared, { list, columns, rows: all, matching, book })}
        panels={<PanelButtons buttons={PANEL_BUTTONS} />}
      />
      <div className={styles['split']} onKeyDown={escape}>
        <div className={styles['list']}>
          {!isResolved ? (
            <LinkFace list={list} />
          ) : all.length === 0 ? (
            (compared?.sameFace(list) ?? <NoOrders book={book} />)
          ) : rows.count === 0 ? (
            (compared?.sameFace(list) ?? <NoMatches total={all.length} clear={clear} />)
          ) : (
            <Grid label="Working orders" {...gridProps} marks={compared?.marks} />
          )}
        </div>
        {panel !== 'none' && (
          <PastPanel
            panel={panel}
            close={closePanel}
            rows={all}
            matching={matching}
            orderId={orderId}
            openOrder={setOrderId}
            book={book}
            table={table}
          />
        )}
      </div>
      <ProductDoubts rows={all} />
      <PastFooter
        book={book}
        matching={matching}
        selected={selected}
        message={message}
        counts={compared?.counts(list)}
      />
    </>
  );
}

/** Finds the filtered orders that only the comparison adds. They are in the exported file, but in no total. */
function findGone(
  rows: readonly OrderRow[],
  { columns, state }: Pick<GridTable<OrderRow>, 'columns' | 'state'>,
): readonly OrderRow[] {
  const passes = toRowFilter(columns, state);
  return rows.filter((row) => !isPresent(row) && (passes?.(row) ?? true));
}

const PANEL_BUTTONS = [
  ['depth', 'Depth'],
  ['exposure', 'Exposure'],
  ['proof', 'Reading'],
] as const;

const NO_ROWS: readonly OrderRow[] = [];

/** Claims that no orders were working only if the reading was complete. */
function NoOrders({ book: { completeness } }: { readonly book: PastBook }) {
  return completeness.complete ? (
    <EmptyState title="No working orders then">
      <p>The reading was complete: you had no orders in the market.</p>
    </EmptyState>
  ) : (
    <EmptyState title="Working orders unknown">
      <p>The reading shows no orders, but some may have been working. {completeness.reasons[0]}</p>
    </EmptyState>
  );
}

/**
 * Collects all codes seen since the screen opened: a code stays private even when the list of another instant lacks
 * it.
 */
function useSeenCodes(rows: readonly OrderRow[]): ReadonlySet<string> {
  const [remember] = useState(createCodeMemory);
  return useMemo(() => remember(rows), [remember, rows]);
}

function createCodeMemory(): (rows: readonly OrderRow[]) => ReadonlySet<string> {
  let codes: ReadonlySet<string> = new Set();
  return (rows) =>
    (codes = addCodes(
      codes,
      rows.map(({ order }) => order),
    ));
}
