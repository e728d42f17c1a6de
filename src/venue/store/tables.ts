import type { Migration } from '#sql/migrate.ts';
import { type Cell, createIndex, createTable, type Row, type Table } from '#sql/driver.ts';
import type { FundingInterval, Order, PremiumSample, Session, Trade } from '../core/model.ts';

export const facts = {
  name: 'facts',
  key: ['name'],
  columns: { name: 'text', value: 'text' },
} as const satisfies Table;

/**
 * The streams: orders that agree in every field that filters use. A filter becomes a few streams, accounts or products,
 * and a page merges their newest rows, so that even a filter with few matches reads no other orders.
 */
export const streams = {
  name: 'streams',
  key: ['stream'],
  onlyGrows: true,
  columns: {
    stream: 'bigint',
    product_id: 'bigint',
    symbol: 'text',
    product_type: 'text',
    firm: 'text',
    account: 'text',
    connection: 'text',
  },
} as const satisfies Table;

/** The JSON of each order at its position, which `ordersPage` reads. */
export const orders = {
  name: 'orders',
  key: ['time_ns', 'id'],
  columns: { time_ns: 'bigint', id: 'bigint', stream: 'bigint', account: 'text', product_id: 'bigint', body: 'text' },
} as const satisfies Table;

/** Order changes that are durable but not yet visible, in order of arrival. */
export const pending = {
  name: 'pending',
  key: ['seq'],
  onlyGrows: true,
  columns: { seq: 'bigint', ...orders.columns },
} as const satisfies Table;

/** The working orders in their current state in the book. */
export const working = {
  name: 'working',
  key: ['id'],
  columns: {
    id: 'bigint',
    open_ack_id: 'bigint',
    time_ns: 'bigint',
    product_id: 'bigint',
    account: 'text',
    firm: 'text',
    connection: 'text',
    side: 'text',
    price: 'bigint',
    requested: 'bigint',
    time_in_force: 'text',
    filled: 'bigint',
    filled_ticks: 'bigint',
    last_modified_ns: 'bigint',
  },
} as const satisfies Table;

export const trades = {
  name: 'trades',
  key: ['seq'],
  onlyGrows: true,
  columns: {
    seq: 'bigint',
    product_id: 'bigint',
    time: 'bigint',
    price: 'bigint',
    quantity: 'bigint',
    cents: 'bigint',
  },
} as const satisfies Table;

export const sessions = {
  name: 'sessions',
  key: ['product_id', 'day'],
  nullable: ['open_price', 'high', 'low', 'close_price', 'volume', 'cents', 'open_interest', 'open_interest_cents'],
  columns: {
    product_id: 'bigint',
    day: 'text',
    settled_at: 'bigint',
    open_price: 'bigint',
    high: 'bigint',
    low: 'bigint',
    close_price: 'bigint',
    settlement: 'bigint',
    volume: 'bigint',
    cents: 'bigint',
    open_interest: 'bigint',
    open_interest_cents: 'bigint',
  },
} as const satisfies Table;

export const funding = {
  name: 'funding',
  key: ['product_id', 'end_at'],
  columns: {
    product_id: 'bigint',
    start_at: 'bigint',
    end_at: 'bigint',
    index_price: 'double precision',
    mark: 'double precision',
    interest_rate: 'double precision',
    rate: 'double precision',
  },
} as const satisfies Table;

export const samples = {
  name: 'samples',
  key: ['product_id', 'interval_start', 'i'],
  columns: { product_id: 'bigint', interval_start: 'bigint', i: 'bigint', premium: 'double precision' },
} as const satisfies Table;

const tables: readonly Table[] = [facts, streams, orders, pending, working, trades, sessions, funding, samples];

const indexes: Readonly<Record<string, string>> = {
  orders_by_stream: 'orders (stream, time_ns, id)',
  orders_by_account: 'orders (account, time_ns, id)',
  orders_by_product: 'orders (product_id, time_ns, id)',
  trades_by_time: 'trades (time, seq)',
  sessions_by_settlement: 'sessions (settled_at, product_id)',
  sessions_by_product: 'sessions (product_id, settled_at)',
  funding_by_end: 'funding (end_at, product_id)',
  samples_by_interval: 'samples (interval_start)',
};

/** The fact in which versions before these migrations recorded their layout. It is internal to the store. */
export const SCHEMA_FACT = 'store schema';

export const migrations: readonly Migration[] = [
  {
    statementsOf: (dialect) => [
      ...tables.map((table) => createTable(table, dialect)),
      ...Object.entries(indexes).map(([name, on]) => createIndex(name, on)),
    ],
  },
];

export function toWorkingRow(order: Order): Row {
  const { account } = order;
  return [
    order.id,
    order.openAckId,
    order.timeNs,
    order.productId,
    account.id,
    account.firm,
    account.connectionId,
    order.side,
    order.price,
    order.requested,
    order.timeInForce,
    order.filled,
    order.filledTicks,
    order.lastModifiedNs,
  ];
}

export function toWorkingOrder(row: Row): Order {
  const [
    id,
    ack,
    timeNs,
    productId,
    account,
    firm,
    connectionId,
    side,
    price,
    requested,
    force,
    filled,
    ticks,
    modified,
  ] = row;
  return {
    id: toBigInt(id),
    openAckId: toBigInt(ack),
    timeNs: toBigInt(timeNs),
    productId: Number(productId),
    account: { id: String(account), firm: String(firm), connectionId: String(connectionId) },
    side: side === 'Bid' ? 'Bid' : 'Ask',
    price: Number(price),
    requested: Number(requested),
    timeInForce: force === 'IOC' || force === 'Day' ? force : 'GTC',
    filled: Number(filled),
    filledTicks: Number(ticks),
    status: 'Working',
    lastModifiedNs: toBigInt(modified),
  };
}

export function toTradeRow(trade: Trade, seq: number): Row {
  return [seq, trade.productId, trade.time, trade.price, trade.quantity, trade.cents];
}

export function toTrade([, productId, time, price, quantity, cents]: Row): Trade {
  return {
    productId: Number(productId),
    time: Number(time),
    price: Number(price),
    quantity: Number(quantity),
    cents: Number(cents),
  };
}

export function toSessionRow(session: Session): Row {
  const { ohlc } = session;
  return [
    session.productId,
    session.date,
    session.settledAt,
    ohlc?.open ?? null,
    ohlc?.high ?? null,
    ohlc?.low ?? null,
    ohlc?.close ?? null,
    session.settlement,
    session.volume,
    session.cents,
    session.openInterest,
    session.openInterestCents,
  ];
}

export function toSession(row: Row): Session {
  const [productId, day, settledAt, open, high, low, close, settlement, volume, cents, interest, interestCents] = row;
  const traded = open !== null;
  return {
    productId: Number(productId),
    date: String(day),
    settledAt: Number(settledAt),
    ohlc: traded ? { open: Number(open), high: Number(high), low: Number(low), close: Number(close) } : null,
    settlement: Number(settlement),
    volume: toNullable(volume),
    cents: toNullable(cents),
    openInterest: toNullable(interest),
    openInterestCents: toNullable(interestCents),
  };
}

export function toFundingRow(interval: FundingInterval): Row {
  const { productId, start, end, index, mark, interestRate, rate } = interval;
  return [productId, start, end, index, mark, interestRate, rate];
}

export function toFunding([productId, start, end, index, mark, interestRate, rate]: Row): FundingInterval {
  return {
    productId: Number(productId),
    start: Number(start),
    end: Number(end),
    index: Number(index),
    mark: Number(mark),
    interestRate: Number(interestRate),
    rate: Number(rate),
  };
}

export function toSampleRow({ productId, intervalStart, i, premium }: PremiumSample): Row {
  return [productId, intervalStart, i, premium];
}

export function toSample([productId, intervalStart, i, premium]: Row): PremiumSample {
  return {
    productId: Number(productId),
    intervalStart: Number(intervalStart),
    i: Number(i),
    premium: Number(premium),
  };
}

function toNullable(cell: Cell | undefined): number | null {
  return cell === null ? null : Number(cell);
}

/** Returns the condition that a column's value is in the list that is the n-th value of a statement. */
export function isAmong(column: string, n: number): string {
  return `${column} IN (SELECT value FROM json_each($${n}))`;
}

/** Converts an integer from any form that the database returns. */
export function toBigInt(cell: Cell | undefined): bigint {
  return BigInt((cell ?? 0) as string | number | bigint);
}
