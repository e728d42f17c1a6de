import { useMemo } from 'react';
import { formatNumber } from '#domain/format-number.ts';
import type { OrderBook } from '#domain/orders/merge-snapshot.ts';
import type { OrderRow } from '#domain/orders/order-row.ts';
import { toOrderTotals, type SideTotals } from '#domain/orders/order-totals.ts';
import { formatCount } from '#domain/format-count.ts';
import type { Source } from '#domain/source.ts';
import { Figure } from '#ui/figure.tsx';
import { formatDuration, formatInAllZones } from '#ui/time/format-time.ts';
import { Time } from '#ui/time/time.tsx';
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
  /** What was copied or selected last, and what of it was not. */
  readonly told: string;
}

/** How much of the list is shown, whether it is all, how old it is, and what it sums up to. */
export function OrderFooter({ matching, book: { rows, unread, goneCount }, shown, dueAt, held, waiting, told }: OrderFooterProps) {
  const totals = useMemo(() => toOrderTotals(matching), [matching]);
  return (
    <footer className={styles['footer']}>
      <span>
        <b>{formatCount(matching.length)}</b> of <b>{formatCount(rows.length)}</b> shown{goneCount > 0 && `, ${formatCount(goneCount)} gone`}
        {unread.length > 0 && `, ${formatCount(unread.length)} unread`}
      </span>
      <Completeness proof={shown.proof} />
      <AsOf shown={shown} />
      <span>{held === 'paused' && 'paused, '}
        {held !== null || waiting > 0 ? `${formatCount(waiting)} waiting` : <NextRead dueAt={dueAt} shown={shown} />}</span>
      {told !== '' && <span>{told}</span>}
      {totals.sides.map((side) => (
        <SideSums key={side.side} totals={side} source={shown.source} />
      ))}
    </footer>
  );
}

/** `12:00:09.214Z`; pointing at it tells all three clocks. */
function AsOf({ shown: { proof, source } }: { readonly shown: WorkingSnapshot }) {
  const at = proof.readTo ?? source.answeredAt ?? new Date(source.receivedAt).toISOString();
  return <Time at={at}>as of {at.slice(11)}</Time>;
}

function NextRead({ dueAt, shown: { proof, everySeconds } }: { readonly dueAt: number; readonly shown: WorkingSnapshot }) {
  const seconds = Math.ceil((dueAt - useNow()) / 1_000);
  if (!Number.isFinite(seconds)) return <>not read again by itself</>;
  if (proof.parts.length > 1) return <>read part by part, each every {formatDuration(everySeconds)}</>;
  return <>{seconds > 0 ? `next read ${String(seconds)} s` : 'reading…'}</>;
}

function SideSums({ totals, source }: { readonly totals: SideTotals; readonly source: Source }) {
  const { side, orders, remaining, notional, withoutUsd } = totals;
  const facts = [
    { name: 'Orders', value: formatCount(orders) },
    { name: 'Quantity', value: 'Remaining contracts, added up. Contracts of different products are of different size.' },
    { name: '|Notional|', value: 'Remaining × price × contract size without the sign that a spread’s price may have, exact: added up in whole ticks per product, then made USD.' },
    { name: 'Without a value in USD', value: `Orders whose price is withheld, or whose product publishes no increment or contract size: ${formatCount(withoutUsd)}` },
    { name: 'Endpoint', value: `GET ${source.target}`, code: true },
    { name: 'Received', value: formatInAllZones(source.receivedAt) },
  ];
  return (
    <span className={styles['sums']} data-side={side}>
      Σ {side} <Figure name={`Contracts of ${side} orders`} text={formatNumber(remaining)} provenance={() => facts} /> · Σ |notional| <Figure name={`Σ |notional| of ${side} orders`} text={formatNumber(notional, { digits: 2 })} provenance={() => facts} /> USD
      {withoutUsd > 0 && ` (${formatCount(withoutUsd)} without a value in USD)`}
    </span>
  );
}
