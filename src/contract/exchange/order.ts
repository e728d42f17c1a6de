import { ackId, contracts, fractionalTicks, instant, orderId, ownerCode, productId, text, ticks } from './fields.ts';
import { compareInstants, type Instant, isInstant } from './instant.ts';
import { CLOCK_TOLERANCE_MS } from './row-rules.ts';
import { agreeing, nullable, openEnum, row, withholdable, type Agreement, type Static } from './schema.ts';

/** Product types of orders. An order for a perpetual has the type Future. */
export const PRODUCT_TYPES = ['Future', 'Spread', 'Option'] as const;
/** A Bid buys, an Ask sells. */
export const SIDES = ['Bid', 'Ask'] as const;
/** A Working order rests in the book, partially filled or not; a Closed order no longer does. */
export const ORDER_STATUSES = ['Working', 'Closed'] as const;
/** Immediate or cancel; until the session ends; until cancelled. */
export const TIMES_IN_FORCE = ['IOC', 'Day', 'GTC'] as const;
/** The times in force of orders that can rest in the book. An IOC order never rests. */
const RESTING_TIMES_IN_FORCE = ['Day', 'GTC'] as const;

/**
 * `GET /orders/working` returns at most this many orders. A request that matches more is rejected, never truncated
 * (clause 7).
 */
export const WORKING_ORDERS_LIMIT = 10_000;
/** The limit as text for sentences. */
export const WORKING_ORDERS_LIMIT_TEXT = '10,000';

const fields = {
  symbol: text('Product symbol.'),
  time: instant('When the exchange accepted the order.'),
  last_modified: withholdable(instant('When the last change was persisted. May lag behind the live book.')),
  product_id: productId('Product id.'),
  product_type: openEnum(PRODUCT_TYPES, 'Product type. Orders for perpetuals have the type Future.'),
  id: orderId('Order id: decimal digits, beyond 2^53.'),
  connection_id: ownerCode('Id of the connection that sent the order, in hexadecimal digits.'),
  clearing_firm_code: ownerCode('Short name of the clearing firm.'),
  account_id: ownerCode('Account code.'),
  open_ack_id: ackId('Id of the acknowledgement that opened the order.'),
  side: openEnum(SIDES, 'Side: Bid buys, Ask sells.'),
  price: ticks('Limit price in ticks.'),
  avg_price: nullable(
    fractionalTicks('Average fill price in ticks. Null without fills. May lag behind the live book.'),
  ),
  quantity_requested: withholdable(contracts('Order quantity in contracts.')),
  quantity_filled: withholdable(contracts('Filled quantity in contracts.')),
  status: openEnum(ORDER_STATUSES, 'Working: the order rests in the book. Closed: it no longer does.'),
  time_in_force: openEnum(
    TIMES_IN_FORCE,
    'Time in force. IOC: immediate or cancel; Day: until the session ends; GTC: until cancelled.',
  ),
};

const agreements: readonly Agreement[] = [
  { paths: ['quantity_requested'], expected: 'a Working order for at least 1 contract', findConflict: findEmpty },
  { paths: ['quantity_filled'], expected: 'quantity_filled ≤ quantity_requested', findConflict: findOverfill },
  { paths: ['avg_price'], expected: 'no average price without fills', findConflict: findPriceWithoutFills },
  { paths: ['last_modified'], expected: 'last_modified not before time', findConflict: findEarlyChange },
];

/** Clause 2.5. Prices are in ticks. The interface does not state the unit, but the exchange's own clients use it. */
export const Order = agreeing(
  row('Order', 'An order, working or closed. Prices are in ticks.', fields),
  ...agreements,
  {
    paths: ['avg_price'],
    expected: 'an average price within the limit of an order that was not modified between its fills',
    findConflict: findBeyondLimit,
  },
);
export type Order = Static<typeof Order>;

/** Clause 4.6. The last change may lag behind a modified limit, so the average price is not compared with it. */
export const WorkingOrder = agreeing(
  row('WorkingOrder', 'An order that rests in the book. Prices are in ticks.', {
    ...fields,
    time_in_force: openEnum<(typeof TIMES_IN_FORCE)[number]>(
      RESTING_TIMES_IN_FORCE,
      'Time in force. Day: until the session ends; GTC: until cancelled.',
    ),
  }),
  ...agreements,
);

/** What never changes in the life of an order. */
export const FIXED_FIELDS = ['account_id', 'product_id', 'side'] as const;

type Fields = Readonly<Record<string, unknown>>;

function findEmpty({ status, quantity_requested: requested }: Fields): string | null {
  return status === 'Working' && requested === 0 ? 'number 0' : null;
}

function findOverfill({ quantity_requested: requested, quantity_filled: filled }: Fields): string | null {
  if (typeof requested !== 'number' || typeof filled !== 'number' || requested < 0 || filled <= requested) return null;
  return `${String(filled)} of ${String(requested)}`;
}

/** The mean price may lag behind the quantities but cannot be ahead of them. */
function findPriceWithoutFills({ quantity_filled: filled, avg_price: average }: Fields): string | null {
  return filled === 0 && typeof average === 'number' ? `number ${String(average)}` : null;
}

function findBeyondLimit(order: Fields): string | null {
  const { side, price, avg_price: average } = order;
  if (typeof price !== 'number' || typeof average !== 'number' || !isOfOneLimit(order)) return null;
  const isBeyond = side === 'Bid' ? average > price : side === 'Ask' && average < price;
  return isBeyond ? `${String(side)} at ${String(price)}, filled at ${String(average)}` : null;
}

/**
 * Returns whether all fills were under the present limit, although an order that rests may be modified: it never
 * rested, it has not changed since its acceptance, or its only contract was filled, after which nothing can change.
 */
function isOfOneLimit({ time_in_force: tif, time, last_modified: changed, ...order }: Fields): boolean {
  const isOneFill = order['quantity_requested'] === 1 && order['quantity_filled'] === 1;
  return tif === 'IOC' || time === changed || isOneFill;
}

/** The first change of an order is its acceptance, but different clocks may have recorded the two times. */
function findEarlyChange({ time, last_modified: changed }: Fields): string | null {
  if (typeof time !== 'string' || typeof changed !== 'string') return null;
  // Compared before it is validated: that is cheaper and settles nearly all orders.
  if (compareInstants(changed as Instant, time as Instant) >= 0 || !isInstant(time) || !isInstant(changed)) return null;
  return Date.parse(time) - Date.parse(changed) > CLOCK_TOLERANCE_MS ? `${changed}, accepted ${time}` : null;
}
