import { createRandom, type Random } from './random.ts';

/** An order as it is on the wire. */
export interface WireOrder {
  readonly symbol: string;
  readonly time: string;
  readonly last_modified: string;
  readonly product_id: number;
  readonly product_type: string;
  readonly id: string;
  readonly connection_id: string;
  readonly clearing_firm_code: string;
  readonly account_id: string;
  readonly open_ack_id: string;
  readonly side: string;
  readonly price: number;
  readonly avg_price: number | null;
  readonly quantity_requested: number;
  readonly quantity_filled: number;
  readonly status: string;
  readonly time_in_force: string;
}

const PRODUCTS = [
  { id: 5599, symbol: 'PSHBUNZ50', type: 'Future', price: 6_150 },
  { id: 5603, symbol: 'PBCHUSZ50', type: 'Future', price: 11_420 },
  { id: 5711, symbol: 'PBUSZ50', type: 'Future', price: 23_580 },
  { id: 6120, symbol: 'BUSZ26', type: 'Future', price: 23_710 },
  { id: 6121, symbol: 'BUSZ26-BUSH27', type: 'Spread', price: -42 },
  { id: 6188, symbol: 'BUSZ26 C120000', type: 'Option', price: 905 },
];
const FIRMS = ['NORTH', 'LAKE', 'PRAIRIE'];
const FORCES = ['GTC', 'GTC', 'Day', 'IOC'];
const NEWEST_MS = Date.UTC(2026, 7, 17, 23, 45);
const NEWEST_ID = 7_674_028_327_896_836_521n;

/**
 * Generates orders, newest first and the same every time: ids beyond 2^53, times with nanoseconds, a third of them
 * partially filled.
 */
export function createWireOrders(count: number): WireOrder[] {
  const random = createRandom(7);
  return Array.from({ length: count }, (_, index) => createWireOrder(index, random));
}

function createWireOrder(index: number, random: Random): WireOrder {
  const product = pick(PRODUCTS, random);
  const account = Math.floor(random() * 40);
  const time = NEWEST_MS - index * 1_700;
  const requested = 1 + Math.floor(random() * 250);
  const filled = random() < 0.35 ? Math.floor(random() * requested) : 0;
  const price = product.price + Math.floor(random() * 200) - 100;
  const id = NEWEST_ID - BigInt(index) * 1_048_583n;
  return {
    symbol: product.symbol,
    time: toInstant(time, random),
    last_modified: toInstant(time + Math.floor(random() * 900_000), random),
    product_id: product.id,
    product_type: product.type,
    id: String(id),
    connection_id: (0x5f3a_91c0 + (account % 7)).toString(16).padStart(16, '0'),
    clearing_firm_code: FIRMS[account % FIRMS.length] ?? '',
    account_id: `ACCT-${String(1_000 + account)}`,
    open_ack_id: String(id + 3n),
    side: random() < 0.5 ? 'Bid' : 'Ask',
    price,
    avg_price: filled > 0 ? toMeanPrice(price, filled, random) : null,
    quantity_requested: requested,
    quantity_filled: filled,
    status: 'Working',
    time_in_force: pick(FORCES, random),
  };
}

/**
 * Returns the average price. A resting order is filled at its own price. Only one that took before it rested has an
 * average with all the digits of a division.
 */
function toMeanPrice(price: number, filled: number, random: Random): number {
  const improvement = random() < 0.25 ? Math.floor(random() * filled) : 0;
  return (price * filled - improvement) / filled;
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}

/** Formats an instant. The exchange writes nine fractional digits, of which a `Date` knows the first three. */
function toInstant(ms: number, random: Random): string {
  const rest = Math.floor(random() * 1e6)
    .toString()
    .padStart(6, '0');
  return new Date(ms).toISOString().replace('Z', `${rest}Z`);
}
