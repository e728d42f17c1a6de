import { ackId, contracts, fractionalTicks, instant, orderId, productId, text, ticks } from './fields.ts';
import { agreeing, nullable, openEnum, row, withholdable, type Static } from './schema.ts';

/** Product types of orders; an order for a perpetual has the type Future. */
export const PRODUCT_TYPES = ['Future', 'Spread', 'Option'] as const;
/** A Bid buys, an Ask sells. */
export const SIDES = ['Bid', 'Ask'] as const;
/** A Working order rests in the book, partially filled or not; a Closed one no longer does. */
export const ORDER_STATUSES = ['Working', 'Closed'] as const;
/** Immediate or cancel; until the session ends; until cancelled. */
export const TIMES_IN_FORCE = ['IOC', 'Day', 'GTC'] as const;

/** `GET /orders/working` returns at most this many orders; a request that matches more is rejected, never truncated (clause 7). */
export const WORKING_ORDERS_LIMIT = 10_000;
/** The same for sentences. */
export const WORKING_ORDERS_LIMIT_TEXT = '10,000';

/** Clause 2.5. Prices are in ticks: the interface does not state the unit, the exchange's own clients do. */
export const Order = agreeing(
  row('Order', 'An order, working or closed. Prices are in ticks.', {
    symbol: text('Product symbol.'),
    time: instant('When the exchange accepted the order.'),
    last_modified: instant('When the last change was persisted. May lag behind the live book.'),
    product_id: productId('Product id.'),
    product_type: openEnum(PRODUCT_TYPES, 'Product type. Orders for perpetuals have the type Future.'),
    id: orderId('Order id: decimal digits, beyond 2^53.'),
    connection_id: text('Id of the connection that sent the order, in hexadecimal digits.'),
    clearing_firm_code: text('Short name of the clearing firm.'),
    account_id: text('Account code.'),
    open_ack_id: ackId('Id of the acknowledgement that opened the order.'),
    side: openEnum(SIDES, 'Side: Bid buys, Ask sells.'),
    price: ticks('Limit price in ticks.'),
    avg_price: nullable(fractionalTicks('Average fill price in ticks. Null without fills. May lag behind the live book.')),
    quantity_requested: withholdable(contracts('Order quantity in contracts.')),
    quantity_filled: withholdable(contracts('Filled quantity in contracts.')),
    status: openEnum(ORDER_STATUSES, 'Working: the order rests in the book. Closed: it no longer does.'),
    time_in_force: openEnum(TIMES_IN_FORCE, 'Time in force. IOC: immediate or cancel; Day: until the session ends; GTC: until cancelled.'),
  }),
  { paths: ['quantity_filled'], expected: 'quantity_filled ≤ quantity_requested', findConflict: findOverfill },
);
export type Order = Static<typeof Order>;

function findOverfill({ quantity_requested: requested, quantity_filled: filled }: Readonly<Record<string, unknown>>): string | null {
  if (typeof requested !== 'number' || typeof filled !== 'number' || requested < 0 || filled <= requested) return null;
  return `${String(filled)} of ${String(requested)}`;
}
