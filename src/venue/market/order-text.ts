import { formatInstant, type EpochNanos } from '#contract/instant.ts';
import type { Order, Product, ProductKind } from '../model.ts';

/** An order exactly as it goes on the wire. */
export function toOrderText(order: Order, product: Product): string {
  return toWorkingText(order, order, product);
}

/**
 * A resting order on the wire: what rests is told from the live book, its mean price and last change from what was
 * persisted, which may lag.
 */
export function toWorkingText(live: Order, persisted: Order, product: Product): string {
  return (
    `{"symbol":${JSON.stringify(product.symbol)},"time":"${toInstant(live.timeNs)}"` +
    `,"last_modified":"${toInstant(persisted.lastModifiedNs)}"` +
    `,"product_id":${live.productId},"product_type":"${PRODUCT_TYPES[product.kind]}","id":"${String(live.id)}"` +
    `,"connection_id":${JSON.stringify(live.account.connectionId)}` +
    `,"clearing_firm_code":${JSON.stringify(live.account.firm)},"account_id":${JSON.stringify(live.account.id)}` +
    `,"open_ack_id":"${String(live.openAckId)}","side":"${live.side}","price":${live.price}` +
    `,"avg_price":${toMeanPrice(persisted)},"quantity_requested":${live.requested},"quantity_filled":${live.filled}` +
    `,"status":"${live.status}","time_in_force":"${live.timeInForce}"}`
  );
}

/** What the interface calls a kind of product in an order: it has no word for perpetuals. */
export const PRODUCT_TYPES = {
  perpetual: 'Future',
  future: 'Future',
  spread: 'Spread',
  option: 'Option',
} as const satisfies Record<ProductKind, string>;

function toMeanPrice({ filled, filledTicks }: Order): string {
  return filled === 0 ? 'null' : String(filledTicks / filled);
}

function toInstant(nanos: bigint): string {
  return formatInstant(nanos as EpochNanos);
}
