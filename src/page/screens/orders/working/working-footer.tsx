import type { ReactNode } from 'react';
import styles from '../shared/orders.module.css';
import type { TrackedOrders } from '#model/orders/tracked-orders.ts';
import { GONE_STATUSES, type OrderRow } from '#model/orders/order-row.ts';
import { formatCount } from '#model/format/count.ts';
import { filterColumn } from '#page/kit/grid/grid-props.ts';
import type { GridFilter, GridState } from '#model/tables/grid.ts';
import { usePreferences } from '#page/kit/use-preferences.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { useNow } from '#page/kit/time/use-now.tsx';
import { CompletenessBadge } from './completeness.tsx';
import { CHECK_LIMITED } from '../shared/use-order-terms.ts';
import { Totals } from './totals.tsx';
import type { HoldReason, WorkingSnapshot } from './use-live-orders.ts';

interface ReservedProps {
  readonly widest: string;
  readonly children: ReactNode;
}

/** Reserves the width of its widest text: a growing text could otherwise start a new line and move the list. */
export function Reserved({ widest, children }: ReservedProps) {
  return (
    <span className={styles['reserved']} data-widest={widest}>
      {children}
    </span>
  );
}

interface WorkingFooterProps {
  readonly matching: readonly OrderRow[];
  /** The selected rows; if there are any, the totals cover only them. */
  readonly selected: readonly OrderRow[];
  readonly tracked: TrackedOrders;
  readonly shown: WorkingSnapshot;
  readonly isStale: boolean;
  readonly dueAt: number;
  readonly held: HoldReason;
  readonly pending: number;
  /** The grid's last message, such as a note on what was copied. */
  readonly gridMessage: string;
  readonly state: GridState;
  readonly set: (state: GridState) => void;
}

export function WorkingFooter({
  state,
  set,
  matching,
  selected,
  tracked: { rows, unread, goneCount },
  shown,
  isStale,
  dueAt,
  held,
  pending,
  gridMessage,
}: WorkingFooterProps) {
  return (
    <footer className={styles['footer']}>
      <Reserved widest={toWidestCount(rows.length)}>
        <b>{formatCount(matching.length)}</b> of <b>{formatCount(rows.length)}</b> shown{goneCount > 0 && ', '}
        {goneCount > 0 && <GoneFilter count={goneCount} state={state} set={set} />}
        {unread.length > 0 && `, ${formatCount(unread.length)} unconfirmed`}
        {selected.length > 0 && `, ${formatCount(selected.length)} selected`}
      </Reserved>
      <CompletenessBadge completeness={shown.completeness} isStale={isStale} />
      <AsOf shown={shown} />
      <Reserved widest={toWidestState(shown)}>
        {held === 'paused' && 'updates paused, '}
        {held === 'held' && 'updates held, '}
        {held !== null || pending > 0 ? `${formatCount(pending)} pending` : <NextRead dueAt={dueAt} shown={shown} />}
      </Reserved>
      {shown.isCheckLimited && <span>{CHECK_LIMITED}</span>}
      {gridMessage !== '' && <span>{gridMessage}</span>}
      <Totals
        rows={selected.length > 0 ? selected : matching}
        ofSelected={selected.length > 0}
        unconfirmed={unread}
        source={shown.source}
      />
    </footer>
  );
}

const GONE: GridFilter = { kind: 'is', texts: GONE_STATUSES };

/** Shows the number of gone orders. A click filters by them. */
function GoneFilter({ count, state, set }: Pick<WorkingFooterProps, 'state' | 'set'> & { readonly count: number }) {
  const { goneOrders } = usePreferences();
  const isOn = JSON.stringify(state.filters['status']) === JSON.stringify(GONE);
  return (
    <button
      type="button"
      className={styles['count']}
      aria-pressed={isOn}
      title={
        `${isOn ? 'Show all orders.' : 'Show only these.'} They stay in the list ` +
        `${goneOrders === 'seen' ? 'until they are marked as seen' : `for ${formatDuration(Number(goneOrders))}`}: ` +
        'see Preferences.'
      }
      onClick={() => {
        set(filterColumn(state, 'status', isOn ? null : GONE));
      }}
    >
      {formatCount(count)} no longer working
    </button>
  );
}

function AsOf({ shown: { completeness, source } }: { readonly shown: WorkingSnapshot }) {
  const at = completeness.readTo ?? source.respondedAt ?? new Date(source.receivedAt).toISOString();
  return <Time at={at}>as of {at.slice(11)}</Time>;
}

function NextRead({ dueAt, shown }: { readonly dueAt: number; readonly shown: WorkingSnapshot }) {
  const seconds = Math.ceil((dueAt - useNow()) / 1_000);
  if (!Number.isFinite(seconds)) return <>no automatic refresh</>;
  if (shown.completeness.parts.length > 1) return <>{toPartsText(shown)}</>;
  return <>{seconds > 0 ? `next refresh in ${String(seconds)} s` : 'refreshing…'}</>;
}

function toPartsText({ everySeconds }: WorkingSnapshot): string {
  return `read in parts, each refreshed every ${formatDuration(everySeconds)}`;
}

function toWidestCount(count: number): string {
  return `${formatCount(count)} of ${formatCount(count)} shown, 9,999 no longer working`;
}

function toWidestState(shown: WorkingSnapshot): string {
  return shown.completeness.parts.length > 1 ? toPartsText(shown) : 'updates paused, 9,999 pending';
}
