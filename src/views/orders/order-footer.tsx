import { useMemo } from 'react';
import { formatNumber } from '#domain/format-number.ts';
import type { OrderBook } from '#domain/orders/merge-snapshot.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { toOrderTotals, type SideTotals } from '#domain/orders/order-totals.ts';
import { Decimal } from '#domain/decimal.ts';
import { Figure } from '#ui/figure.tsx';
import { useNow } from '#ui/time/use-now.tsx';
import { Completeness } from './completeness.tsx';
import styles from './orders.module.css';
import type { Held } from './use-order-book.ts';
import type { WorkingSnapshot } from './use-working.ts';

interface OrderFooterProps {
  readonly matching: readonly OrderRow[];
  readonly book: OrderBook;
  readonly shown: WorkingSnapshot;
  readonly dueAt: number;
  readonly held: Held;
  readonly waiting: number;
}

/** How much of the list is shown, whether it is all, how old it is, and what it sums up to. */
export function OrderFooter({ matching, book: { rows, unread, goneCount }, shown, dueAt, held, waiting }: OrderFooterProps) {
  const totals = useMemo(() => toOrderTotals(matching), [matching]);
  return (
    <footer className={styles['footer']}>
      <span>
        <b>{formatCount(matching.length)}</b> of <b>{formatCount(rows.length)}</b> shown{goneCount > 0 && `, ${formatCount(goneCount)} gone`}
        {unread.length > 0 && `, ${formatCount(unread.length)} unread`}
      </span>
      <Completeness proof={shown.proof} />
      <span>as of {formatClock(shown)}</span>
      <span>{held === 'paused' && 'paused, '}
        {held !== null || waiting > 0 ? `${formatCount(waiting)} waiting` : <NextRead dueAt={dueAt} />}</span>
      {totals.sides.map((side) => (
        <SideSums key={side.side} totals={side} />
      ))}
    </footer>
  );
}

/** `12:00:09.214Z`. */
function formatClock({ proof, source }: WorkingSnapshot): string {
  return (proof.readTo ?? source.answeredAt ?? new Date(source.receivedAt).toISOString()).slice(11);
}

function NextRead({ dueAt }: { readonly dueAt: number }) {
  const seconds = Math.ceil((dueAt - useNow()) / 1_000);
  if (!Number.isFinite(seconds)) return <>not read again by itself</>;
  return <>{seconds > 0 ? `next read ${String(seconds)} s` : 'reading…'}</>;
}

function SideSums({ totals }: { readonly totals: SideTotals }) {
  const { side, orders, remaining, notional, withoutUsd } = totals;
  const facts = [
    { name: 'Orders', value: formatCount(orders) },
    { name: 'Quantity', value: 'Remaining contracts, added up. Contracts of different products are of different size.' },
    { name: 'Notional', value: 'Remaining × price × contract size, exact: added up in whole ticks per product, then made USD.' },
    { name: 'In no sum of USD', value: `${formatCount(withoutUsd)} orders` },
  ];
  return (
    <span className={styles['sums']} data-side={side}>
      Σ {side} <b>{formatNumber(remaining)}</b> · <Figure name={`Notional of ${side} orders`} text={formatNumber(notional, { digits: 2 })} provenance={() => facts} /> USD
      {withoutUsd > 0 && ` (${formatCount(withoutUsd)} not in it)`}
    </span>
  );
}

function formatCount(count: number): string {
  return formatNumber(new Decimal(count));
}
