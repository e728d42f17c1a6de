import { useEffect, useMemo, useRef, type Dispatch, type ReactNode, type SetStateAction } from 'react';
import { listRows } from '#model/orders/tracked-orders.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import type { GridCell } from '#page/kit/grid/grid-props.ts';
import { Grid } from '#page/kit/grid/grid.tsx';
import { useLoadErrorToast } from '#page/kit/toast.tsx';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import { useProvideCommands } from '#page/kit/commands.tsx';
import { useEvidenceCommand } from '#page/panels/evidence/use-evidence.ts';
import { InvalidRows, NoMatches } from '#page/panels/missing-rows.tsx';
import { useOrderColumns } from '../shared/use-order-columns.ts';
import { toGridMarks, useOrderList } from './use-order-list.ts';
import { IncompleteNotice } from './completeness.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import type { HoldReason, LiveOrders, WorkingSnapshot } from './use-live-orders.ts';
import { Reserved, WorkingFooter } from './working-footer.tsx';
import { accountCommands, columnCommands, quickFilterCommands } from '../saved-views/order-commands.ts';
import { PanelButtons, WorkingTools } from './working-tools.tsx';
import styles from '../shared/orders.module.css';
import { SidePanel } from './side-panel.tsx';
import { ProductDoubts } from '../shared/product-doubts.tsx';
import { HistoryLink } from '../shared/order-links.tsx';
import { toSearchedId } from '#model/tables/orders/filter-text.ts';
import { LinkFace } from '../list-state/link-face.tsx';
import { useListState } from '../list-state/use-list-state.ts';
import { useGoneOutcomes } from './use-gone-outcomes.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import type { KeyBinding } from '#page/kit/keyboard.ts';
import { useKeys } from '#page/kit/use-keys.tsx';

/** Loads the texts of the tooltips on first use. */
const explain = async (cell: GridCell<OrderRow>) =>
  (await import('../beside/cell-provenance.ts')).explainGridCell(cell);

interface WorkingListProps {
  readonly live: LiveOrders;
  /** Whether the latest read failed. */
  readonly isStale: boolean;
  readonly dueAt: number;
  readonly held: HoldReason;
  readonly setPaused: Dispatch<SetStateAction<boolean>>;
  readonly setBusy: (busy: boolean) => void;
}

export function WorkingList({ live, isStale, dueAt, held, setPaused, setBusy }: WorkingListProps) {
  const { tracked, shown } = live;
  const columns = useOrderColumns(tracked.rows);
  const list = useListState(columns, tracked.codes);
  const { state, set } = list;
  const table = { columns, state, set };
  const marks = useMemo(() => toGridMarks(tracked), [tracked]);
  const isResolved = list.link.is === 'resolved';
  const all = useMemo(() => (isResolved ? listRows(tracked) : NO_ROWS), [tracked, isResolved]);
  const { rows, matching, selected, message, panel, orderId, setOrderId, closePanel, escape, tools, gridProps } =
    useOrderList({ table, all, total: tracked.rows.length, explain });
  const notLoaded = useLoadErrorToast();
  useProvideCommands(() => [
    ...columnCommands(table, notLoaded),
    ...quickFilterCommands(list),
    ...accountCommands(tracked.rows, list),
  ]);
  useEvidenceCommand(() => {
    tools.setOpened({ dialog: 'evidence' });
  });
  useGoneOutcomes(live, held);
  useWorkingKeys({ setPaused, applyPending: live.applyPending, markAllSeen: live.markAllSeen });
  const clear = (): void => {
    set({ ...state, filters: {}, quick: '' });
  };
  return (
    <>
      <WorkingTools
        list={list}
        {...tools}
        all={tracked.rows}
        exportDialog={(close) => (
          <ExportWorkingDialog
            rows={matching}
            columns={columns}
            state={state}
            shown={shown}
            isStale={isStale}
            close={close}
          />
        )}
        evidenceDialog={(close) => (
          <WorkingEvidence list={list} columns={columns} rows={all} matching={matching} close={close} />
        )}
        panels={<PanelButtons buttons={PANEL_BUTTONS} />}
      >
        <UpdateControls live={live} held={held} setPaused={setPaused} />
      </WorkingTools>
      <div className={styles['split']} onKeyDown={escape}>
        <div className={styles['list']}>
          {!isResolved ? (
            <Idle setBusy={setBusy}>
              <LinkFace list={list} />
            </Idle>
          ) : all.length === 0 ? (
            <Idle setBusy={setBusy}>
              <NoOrders shown={shown} />
            </Idle>
          ) : rows.count === 0 ? (
            <Idle setBusy={setBusy}>
              <NoMatches
                total={tracked.rows.length}
                clear={clear}
                proposals={<HistoryLink text={toSearchedId(state)} rows={all} />}
              />
            </Idle>
          ) : (
            <Grid label="Working orders" {...gridProps} marks={marks} onBusy={setBusy} />
          )}
        </div>
        {panel !== 'none' && (
          <SidePanel
            panel={panel}
            close={closePanel}
            rows={all}
            matching={matching}
            unconfirmed={tracked.unread.length}
            orderId={orderId}
            openOrder={setOrderId}
            shown={shown}
            isStale={isStale}
            table={table}
            setBusy={setBusy}
          />
        )}
      </div>
      {!shown.completeness.complete && (
        <IncompleteNotice completeness={shown.completeness} unconfirmed={tracked.unread.length} />
      )}
      <ProductDoubts rows={tracked.rows} />
      <WorkingFooter
        matching={matching}
        selected={selected}
        tracked={tracked}
        shown={shown}
        isStale={isStale}
        dueAt={dueAt}
        held={held}
        pending={live.pending}
        gridMessage={message}
        state={state}
        set={set}
      />
    </>
  );
}

const ExportWorkingDialog = lazyOverlay(async () => (await import('./export-working-dialog.tsx')).ExportWorkingDialog);
const WorkingEvidence = lazyOverlay(async () => (await import('./working-evidence.tsx')).WorkingEvidence);

const PANEL_BUTTONS = [
  ['depth', 'Depth'],
  ['exposure', 'Exposure'],
  ['proof', 'Completeness'],
] as const;

const NO_ROWS: readonly OrderRow[] = [];

/** Clears the busy state, because a grid that unmounts does not report that the pointer left it. */
function Idle({ setBusy, children }: { readonly setBusy: (busy: boolean) => void; readonly children: ReactNode }) {
  useEffect(() => {
    setBusy(false);
  }, [setBusy]);
  return children;
}

/** Claims that no orders are working only if the read was complete. */
function NoOrders({ shown: { completeness, setAside, deviations } }: { readonly shown: WorkingSnapshot }) {
  if (completeness.complete) {
    return (
      <EmptyState title="No working orders">
        <p>You have no orders in the market. The list refreshes automatically.</p>
      </EmptyState>
    );
  }
  if (setAside > 0) {
    return (
      <InvalidRows noun="order" count={setAside} deviations={deviations ?? []}>
        <p>You may have working orders. The list refreshes automatically.</p>
      </InvalidRows>
    );
  }
  return (
    <EmptyState title="Working orders unknown">
      <p>The read was incomplete and returned no orders, but some may be working. The list refreshes automatically.</p>
    </EmptyState>
  );
}

interface UpdateControlsProps {
  readonly live: LiveOrders;
  readonly held: HoldReason;
  readonly setPaused: Dispatch<SetStateAction<boolean>>;
}

/** Pauses updates, applies pending ones, and clears the marks of changes. */
function UpdateControls({
  live: { tracked, pending, applyPending, markAllSeen },
  held,
  setPaused,
}: UpdateControlsProps) {
  const paused = held === 'paused';
  const unseen = tracked.marks.size - tracked.gone.length + tracked.goneCount;
  return (
    <span className={styles['live']}>
      <button
        type="button"
        className={styles['toggle']}
        aria-pressed={paused}
        aria-keyshortcuts="p"
        onClick={() => {
          setPaused(!paused);
        }}
      >
        <Reserved widest="Paused">{paused ? 'Paused' : 'Pause'}</Reserved> <kbd aria-hidden="true">P</kbd>
      </button>
      <button
        type="button"
        className={styles['pill']}
        data-any={pending > 0}
        aria-keyshortcuts="w"
        title={PENDING_TITLES[held ?? 'none']}
        onClick={applyPending}
        disabled={pending === 0}
      >
        <Reserved widest="9,999 pending">{formatCount(pending)} pending</Reserved> <kbd aria-hidden="true">W</kbd>
      </button>
      <button
        type="button"
        className={styles['pill']}
        data-any={unseen > 0}
        aria-keyshortcuts="u"
        onClick={markAllSeen}
        disabled={unseen === 0}
      >
        <Reserved widest="9,999 new changes">{countOf(unseen, 'new change')}</Reserved> <kbd aria-hidden="true">U</kbd>
      </button>
    </span>
  );
}

const PENDING_TITLES = {
  paused: 'Updates are held because the list is paused.',
  held: 'Updates are held while the pointer moves over the list, so that rows do not move away from it.',
  none: 'Updates are applied as they arrive.',
} as const;

interface WorkingKeys {
  readonly setPaused: Dispatch<SetStateAction<boolean>>;
  readonly applyPending: () => void;
  readonly markAllSeen: () => void;
}

const GROUP = 'Orders';

/** Binds the shortcuts of the list. The grid handles the keys of its cells itself. */
function useWorkingKeys({ setPaused, applyPending, markAllSeen }: WorkingKeys): void {
  const latest = useRef({ applyPending, markAllSeen });
  useEffect(() => {
    latest.current = { applyPending, markAllSeen };
  });
  const keys = useMemo((): readonly KeyBinding[] => {
    const togglePaused = (): void => {
      setPaused((paused) => !paused);
    };
    const markSeen = (): void => {
      latest.current.markAllSeen();
    };
    const showPending = (): void => {
      latest.current.applyPending();
    };
    return [
      { keys: 'p', label: 'Pause or resume updates', group: GROUP, run: togglePaused },
      { keys: 'u', label: 'Mark all changes as seen', group: GROUP, run: markSeen },
      { keys: 'w', label: 'Show pending updates', group: GROUP, run: showPending },
    ];
  }, [setPaused]);
  useKeys(keys);
}
