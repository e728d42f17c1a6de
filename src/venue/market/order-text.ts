import { formatInstant, type EpochNanos } from '#contract/instant.ts';
import type { Order as WireOrder } from '#contract/order.ts';
import type { Order, Product, ProductKind } from '../model.ts';

/** An order exactly as it goes on the wire. */
export function toOrderText(order: Order, product: Product): string {
  return toWorkingText(order, order, product);
}

/**
 * A resting order on the wire: what rests is told from the live book, its mean price and last change from what was
 * persisted, which may lag.
 *
 * Serialized rather than put together: texts put together are trees of pieces until they are first read, and joining ten
 * thousand of them takes seven times as long as joining these.
 */
export function toWorkingText(live: Order, persisted: Order, product: Product): string {
  const text = JSON.stringify({
    symbol: product.symbol,
    time: toInstant(live.timeNs),
    last_modified: toInstant(persisted.lastModifiedNs),
    product_id: live.productId,
    product_type: PRODUCT_TYPES[product.kind],
    id: String(live.id),
    connection_id: live.account.connectionId,
    clearing_firm_code: live.account.firm,
    account_id: live.account.id,
    open_ack_id: String(live.openAckId),
    side: live.side,
    price: live.price,
    avg_price: persisted.filled === 0 ? null : persisted.filledTicks / persisted.filled,
    quantity_requested: live.requested,
    quantity_filled: live.filled,
    status: live.status,
    time_in_force: live.timeInForce,
  } satisfies Record<keyof WireOrder, string | number | null>);
  return toAscii(text);
}

/** A byte for each character: what is sent by the hundred need neither be measured nor encoded. */
function toAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What the interface calls a kind of product in an order: it has no word for perpetuals. */
export const PRODUCT_TYPES = {
  perpetual: 'Future',
  future: 'Future',
  spread: 'Spread',
  option: 'Option',
} as const satisfies Record<ProductKind, string>;

function toInstant(nanos: bigint): string {
  return formatInstant(nanos as EpochNanos);
}
