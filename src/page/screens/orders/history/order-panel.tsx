import { formatCount } from '#model/format/count.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { LazyOrderDetail } from '../detail/lazy-order-detail.ts';
import styles from '../shared/orders.module.css';

interface OrderPanelProps {
  /** The order and the rows in memory around it; empty if it is not in memory. */
  readonly rows: readonly OrderRow[];
  readonly orderId: string;
  readonly open: (id: string) => void;
  readonly close: () => void;
}

export function OrderPanel({ rows, orderId, open, close }: OrderPanelProps) {
  return (
    <aside className={styles['beside']} aria-label="Order">
      <header>
        <h2>Order</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      {rows.length > 0 || orderId === '' ? (
        <LazyOrderDetail
          rows={rows}
          orderId={orderId}
          open={open}
          among={`Among the ${formatCount(rows.length)} orders loaded around it.`}
        />
      ) : (
        <p className={styles['quiet']}>
          Order {orderId} is not among the orders loaded. Load more, or narrow From and To around it.
        </p>
      )}
    </aside>
  );
}
