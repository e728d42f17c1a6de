import { ackId, contracts, fractionalTicks, instant, orderId, productId, text, ticks } from './fields.ts';
import { nullable, row, word, type Static } from './schema.ts';

/** Kinds of product as orders have them; a perpetual’s order says Future. */
export const PRODUCT_TYPES = ['Future', 'Spread', 'Option'] as const;
/** Bid buys, Ask sells. */
export const SIDES = ['Bid', 'Ask'] as const;
/** Working rests in the book (partly filled or not); Closed does not any more. */
export const ORDER_STATUSES = ['Working', 'Closed'] as const;
/** Immediate or cancel; to the session’s end; until cancelled. */
export const TIMES_IN_FORCE = ['IOC', 'Day', 'GTC'] as const;

/** `GET /orders/working` answers at most this many; more is refused, never cut (clause 7). */
export const WORKING_ORDERS_LIMIT = 10_000;

/** Clause 2.5. Prices are in ticks (the interface leaves the unit open, the venue’s clients settle it). */
export const Order = row('Order', 'An order, resting or closed; prices in ticks.', {
  symbol: text('Product symbol.'),
  time: instant('When the order was accepted.'),
  last_modified: instant('Last persisted change; may lag the live book.'),
  product_id: productId('The product.'),
  product_type: word(PRODUCT_TYPES, 'Kind of product; a perpetual is a Future here.'),
  id: orderId('Order identifier: decimal digits beyond 2^53.'),
  connection_id: text('The connection that sent it, in hex.'),
  clearing_firm_code: text('Short name of the clearing firm.'),
  account_id: text('Account code.'),
  open_ack_id: ackId('The acknowledgement that opened it.'),
  side: word(SIDES, 'Buying or selling.'),
  price: ticks('Limit price in ticks.'),
  avg_price: nullable(fractionalTicks('Mean price of what was filled, in ticks; null while nothing is. May lag.')),
  quantity_requested: contracts('Contracts asked for.'),
  quantity_filled: contracts('Contracts filled so far.'),
  status: word(ORDER_STATUSES, 'Working: rests in the book. Closed: it does not any more.'),
  time_in_force: word(TIMES_IN_FORCE, 'IOC: now or never; Day: to the session’s end; GTC: until cancelled.'),
});
export type Order = Static<typeof Order>;
