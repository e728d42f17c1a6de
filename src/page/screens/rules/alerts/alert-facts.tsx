import { formatDuration } from '#model/format/format-time.ts';
import { Time } from '#page/kit/time/time.tsx';
import { useNow } from '#page/kit/time/use-now.tsx';
import styles from './alerts.module.css';
import type { Alert } from '#contract/desk/alerts.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import type { Order } from '#contract/exchange/order.ts';
import { wireText } from '#contract/exchange/row-notes.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { formatNumber } from '#model/format/number.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { Link } from '#page/kit/navigation.tsx';
import { type Column, Table } from '#page/kit/table.tsx';

/** Shows how long ago something was, updated every second. */
export function Age({ since }: { readonly since: string }) {
  return <Time at={since}>{formatDuration((useNow() - Date.parse(since)) / 1_000)}</Time>;
}

/** Marks each severity by a shape of its own, so that it does not depend on colour. */
export function SeverityMark({ severity, isQuiet = false }: { readonly severity: string; readonly isQuiet?: boolean }) {
  return (
    <span className={styles['severity']} data-severity={severity} data-quiet={isQuiet}>
      {severity}
    </span>
  );
}

/** Names the person who acknowledged the alert, with time and note. */
export function Acknowledged({
  acknowledged: { by, at, note },
}: {
  readonly acknowledged: NonNullable<Alert['acknowledged']>;
}) {
  return (
    <>
      Acknowledged by {by}, <Timestamp at={at} />
      {note !== '' && <>: “{note}”</>}
    </>
  );
}

const ORDER_COLUMNS: readonly Column<Order>[] = [
  { name: 'Order ID', pinned: 'start', cell: ({ id }) => <Link to={`/orders/life/${id}`}>{id}</Link> },
  { name: 'Product', cell: ({ symbol }) => <Link to={`/price/${encodeURIComponent(symbol)}`}>{symbol}</Link> },
  { name: 'Side', cell: ({ side }) => side },
  { name: 'Price', unit: 'ticks', numeric: true, cell: (order) => exactly(wireText(order, 'price')) },
  { name: 'Filled', unit: 'contracts', numeric: true, cell: (order) => exactly(wireText(order, 'quantity_filled')) },
  { name: 'Qty', unit: 'contracts', numeric: true, cell: (order) => exactly(wireText(order, 'quantity_requested')) },
  { name: 'Account', cell: ({ account_id: account }) => account },
  { name: 'Status', cell: ({ status }) => status },
  { name: 'Accepted', cell: ({ time }) => <Timestamp at={time} /> },
];

function exactly(text: string | null): string {
  return formatNumber(text === null ? null : toDecimal(text));
}

type EvidenceRows = Alert['evidence'];

/** Shows the rows that caused an alert, as the exchange sent them. */
export function Evidence({
  evidence: { total, orders, products },
  at,
}: {
  readonly evidence: EvidenceRows;
  readonly at: string;
}) {
  if (orders.length === 0 && products.length === 0) return null;
  const shown = Math.max(orders.length, products.length);
  return (
    <details className={styles['evidence']}>
      <summary>{orders.length > 0 ? countOf(total, 'order') : countOf(total, 'product')} at that moment</summary>
      <p className={styles['note']}>
        As the exchange sent them, <Timestamp at={at} />.
        {total > shown && ` Only the first ${formatCount(shown)} of ${formatCount(total)} are kept.`}
      </p>
      {orders.length > 0 && (
        <Table caption="Orders at that moment" columns={ORDER_COLUMNS} rows={orders} keyOf={({ id }) => id} />
      )}
      {orders.length === 0 && (
        <ul className={styles['products']}>
          {products.map((product) => (
            <li key={String(product.product_id)}>
              <Link to={`/price/${String(product.product_id)}`}>Product {String(product.product_id)}</Link>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
