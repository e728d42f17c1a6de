import type { Alert } from '#contract/desk/alerts.ts';
import type { Order } from '#contract/exchange/order.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { countOf, formatCount } from '#model/format/count.ts';
import { formatNumber } from '#model/format/number.ts';
import { toDecimal } from '#model/units/decimal.ts';
import { Link } from '#page/kit/navigation/link.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import styles from './alerts.module.css';

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

/** The rows of the moment that an alert is about, as the exchange sent them. */
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
