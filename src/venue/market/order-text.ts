import { formatInstant, type EpochNanos } from '#contract/exchange/instant.ts';
import type { Order as WireOrder } from '#contract/exchange/order.ts';
import type { Order, Product, ProductKind } from '../core/model.ts';

/** An order as JSON, exactly as the interface sends it. */
export function toOrderText(order: Order, product: Product): string {
  return toWorkingText(order, order, product);
}

/**
 * A working order as JSON: quantities are those of the live book, average price and last change are those that were
 * persisted, which may lag behind.
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

/** Escapes everything but ASCII, so that the length in bytes is the length of the text. */
function toAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The product types of orders: the interface has none for perpetuals. */
export const PRODUCT_TYPES = {
  perpetual: 'Future',
  future: 'Future',
  spread: 'Spread',
  option: 'Option',
} as const satisfies Record<ProductKind, string>;

function toInstant(nanos: bigint): string {
  return formatInstant(nanos as EpochNanos);
}
