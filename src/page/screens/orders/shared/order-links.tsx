import { Link } from '#page/kit/navigation.tsx';
import styles from './orders.module.css';
import { isOrderId, type OrderId } from '#contract/exchange/ids.ts';
import type { Order } from '#contract/exchange/order.ts';
import { toOutcomeRequest, toTimesAround } from '#model/orders/outcome-request.ts';
import type { OrderRow } from '#model/orders/order-row.ts';

const LISTS = [
  ['Working', '/orders'],
  ['History', '/orders/history'],
  ['Activity', '/orders/activity'],
] as const;

/** Links between the lists. They keep their position when pressed. */
export function ListLinks({ here }: { readonly here?: (typeof LISTS)[number][0] }) {
  return (
    <nav className={styles['lists']} aria-label="Order lists">
      {LISTS.map(([name, path]) => (
        <Link key={name} to={path} aria-current={name === here ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** Returns the address of the order history around an order, with that order open. */
export function toHistoryAddress(order: Order): string {
  const range = toOutcomeRequest([order]);
  const query = new URLSearchParams({
    f: `product:is:${order.symbol}`,
    from: range?.begin_time ?? '',
    to: range?.end_time ?? '',
    order: order.id,
  });
  return `/orders/history?${query.toString()}`;
}

/**
 * Returns the address of the order history around an order known only by its id. The time range comes from the listed
 * orders accepted before and after it.
 */
function toHistoryAddressOf(id: OrderId, orders: readonly Order[]): string {
  const { from, to } = toTimesAround(id, orders);
  const query = new URLSearchParams({ ...(from !== null && { from }), ...(to !== null && { to }), order: id });
  return `/orders/history?${query.toString()}`;
}

/** Returns the address of an order's life. */
export function toLifeAddress(id: string): string {
  return `/orders/life/${id}`;
}

interface HistoryLinkProps {
  readonly text: string;
  /** The rows of the list that lacks the order. */
  readonly rows: readonly OrderRow[];
}

/** A shorter number may be part of an id, or a price. */
const LEAST_DIGITS = 12;

/** Links to an order in the order history and in the journal; shows nothing unless the text is a complete id. */
export function HistoryLink({ text, rows }: HistoryLinkProps) {
  const id = text.trim();
  if (id.length < LEAST_DIGITS || !isOrderId(id)) return null;
  return (
    <>
      <Link
        to={toHistoryAddressOf(
          id,
          rows.map(({ order }) => order),
        )}
      >
        Look for order {id} in order history
      </Link>
      , or <Link to={toLifeAddress(id)}>in the journal</Link>
    </>
  );
}
