import { useMemo } from 'react';
import { formatNumber } from '#domain/format/number.ts';
import type { TrackedOrders } from '#domain/orders/tracked-orders.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { toOrderTotals, type SideTotals } from '#domain/orders/order-totals.ts';
import { countOf, formatCount } from '#domain/format/count.ts';
import type { Source } from '#domain/source.ts';
import { Figure } from '#ui/figure.tsx';
import { formatDuration, formatInAllZones } from '#ui/time/format-time.ts';
import { Time } from '#ui/time/time.tsx';
import { useNow } from '#ui/time/use-now.tsx';
import { CompletenessBadge } from './completeness.tsx';
import styles from '../orders.module.css';
import { CHECK_LIMITED } from '../use-order-terms.ts';
import type { HoldReason } from './use-live-orders.ts';
import type { WorkingSnapshot } from './use-working.ts';

interface WorkingFooterProps {
  readonly matching: readonly OrderRow[];
  readonly tracked: TrackedOrders;
  readonly shown: WorkingSnapshot;
  readonly dueAt: number;
  readonly held: HoldReason;
  readonly pending: number;
  /** The grid’s last message, such as what was copied. */
  readonly gridMessage: string;
}

export function WorkingFooter({ matching, tracked: { rows, unread, goneCount }, shown, dueAt, held, pending, gridMessage }: WorkingFooterProps) {
  const totals = useMemo(() => toOrderTotals(matching), [matching]);
  return (
    <footer className={styles['footer']}>
      <span>
        <b>{formatCount(matching.length)}</b> of <b>{formatCount(rows.length)}</b> shown{goneCount > 0 && `, ${formatCount(goneCount)} no longer working`}
        {unread.length > 0 && `, ${formatCount(unread.length)} unconfirmed`}
      </span>
      <CompletenessBadge completeness={shown.completeness} />
      <AsOf shown={shown} />
      <span>
        {held === 'paused' && 'updates paused, '}
        {held === 'held' && 'updates held, '}
        {held !== null || pending > 0 ? `${formatCount(pending)} pending` : <NextRead dueAt={dueAt} shown={shown} />}
      </span>
      {shown.isCheckLimited && <span>{CHECK_LIMITED}</span>}
      {gridMessage !== '' && <span>{gridMessage}</span>}
      {totals.sides.map((side) => (
        <SideSums key={side.side} totals={side} source={shown.source} />
      ))}
    </footer>
  );
}

function AsOf({ shown: { completeness, source } }: { readonly shown: WorkingSnapshot }) {
  const at = completeness.readTo ?? source.answeredAt ?? new Date(source.receivedAt).toISOString();
  return <Time at={at}>as of {at.slice(11)}</Time>;
}

function NextRead({ dueAt, shown: { completeness, everySeconds } }: { readonly dueAt: number; readonly shown: WorkingSnapshot }) {
  const seconds = Math.ceil((dueAt - useNow()) / 1_000);
  if (!Number.isFinite(seconds)) return <>no automatic refresh</>;
  if (completeness.parts.length > 1) return <>read in parts, each refreshed every {formatDuration(everySeconds)}</>;
  return <>{seconds > 0 ? `next refresh in ${String(seconds)} s` : 'refreshing…'}</>;
}

function SideSums({ totals, source }: { readonly totals: SideTotals; readonly source: Source }) {
  const { side, orders, remaining, notional, withoutUsd, uncounted } = totals;
  const facts = [
    { name: 'Orders', value: formatCount(orders) },
    { name: 'Working qty', value: 'Contracts not yet filled, added up. Contract sizes differ between products.' },
    { name: 'Gross notional', value: 'Working qty × |price| × contract size, so that a spread’s negative price does not offset others. Added up in whole ticks per product, then converted to USD.' },
    { name: 'Without USD value', value: `${countOf(withoutUsd, 'order')}: the tick size check failed, or no tick size or contract size is published` },
    { name: 'Excluded', value: `${countOf(uncounted, 'order')}, because a quantity is impossible` },
    { name: 'Endpoint', value: `GET ${source.target}`, code: true },
    { name: 'Received', value: formatInAllZones(source.receivedAt) },
  ];
  return (
    <span className={styles['sums']} data-side={side}>
      Σ {side} <Figure name={`Working qty of ${side} orders`} text={formatNumber(remaining)} provenance={() => facts} /> contracts · gross notional <Figure name={`Gross notional of ${side} orders`} text={formatNumber(notional, { digits: 2 })} provenance={() => facts} /> USD
      {withoutUsd > 0 && ` (${countOf(withoutUsd, 'order')} without USD value)`}
      {uncounted > 0 && ` (excluding ${countOf(uncounted, 'order')} with an impossible quantity)`}
    </span>
  );
}
