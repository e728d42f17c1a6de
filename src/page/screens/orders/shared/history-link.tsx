import { isOrderId } from '#contract/exchange/ids.ts';
import type { OrderRow } from '#model/orders/order-row.ts';
import { Link } from '#page/kit/navigation/link.tsx';
import { toHistoryAddressOf, toLifeAddress } from './history-address.ts';

interface HistoryLinkProps {
  readonly text: string;
  /** Of the list that the order is not in. */
  readonly rows: readonly OrderRow[];
}

/** Fewer digits are part of an id, or of a price. */
const LEAST_DIGITS = 12;

/** Leads to where the order history, and the journal, have an order; nothing for a text that is no whole id. */
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
