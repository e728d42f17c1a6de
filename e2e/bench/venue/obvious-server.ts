/**
 * The order pages as one would write them first: a table with a column for each fact, whose rows are read as objects,
 * converted to wire objects, and serialised as JSON. It checks neither signatures nor parameters, which is in its
 * favour. Arguments: its own database, and that of the exchange, from which it copies the orders once.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { formatInstant, parseInstant, type EpochNanos } from '../../../src/contract/exchange/instant.ts';
import type { WireOrder } from '../lib/wire-orders.ts';

/** Times in nanoseconds and ids need all 64 bits. They are integers, so that they sort as such. */
const TABLE = `CREATE TABLE orders (
  id INTEGER PRIMARY KEY, open_ack_id INTEGER, time_ns INTEGER, modified_ns INTEGER, symbol TEXT, product_id INTEGER,
  product_type TEXT, connection_id TEXT, firm TEXT, account_id TEXT, side TEXT, price INTEGER, requested INTEGER,
  filled INTEGER, filled_ticks INTEGER, status TEXT, time_in_force TEXT) STRICT`;

const LAST = 2n ** 63n - 1n;

type Row = Record<string, SQLOutputValue>;

const [file = '', source = ''] = process.argv.slice(2);
const database = new DatabaseSync(file);
if (database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) copyOrders();

function copyOrders(): void {
  const venue = new DatabaseSync(source, { readOnly: true });
  database.exec(`PRAGMA synchronous = OFF; BEGIN; ${TABLE};`);
  const insert = database.prepare(`INSERT INTO orders VALUES (${new Array(17).fill('?').join(', ')})`);
  for (const { body } of venue.prepare('SELECT body FROM orders').iterate()) {
    insert.run(...toValues(JSON.parse(String(body)) as WireOrder));
  }
  database.exec('CREATE INDEX orders_by_time ON orders (time_ns, id); COMMIT; ANALYZE;');
  venue.close();
}

function toValues(order: WireOrder) {
  const filledTicks = Math.round((order.avg_price ?? 0) * order.quantity_filled);
  return [
    ...[BigInt(order.id), BigInt(order.open_ack_id), parseInstant(order.time), parseInstant(order.last_modified)],
    ...[order.symbol, order.product_id, order.product_type, order.connection_id, order.clearing_firm_code],
    ...[order.account_id, order.side, order.price, order.quantity_requested, order.quantity_filled, filledTicks],
    ...[order.status, order.time_in_force],
  ];
}

function toWire(row: Row): object {
  const filled = Number(row['filled']);
  return {
    symbol: row['symbol'],
    time: formatInstant(row['time_ns'] as EpochNanos),
    last_modified: formatInstant(row['modified_ns'] as EpochNanos),
    product_id: Number(row['product_id']),
    product_type: row['product_type'],
    id: String(row['id']),
    connection_id: row['connection_id'],
    clearing_firm_code: row['firm'],
    account_id: row['account_id'],
    open_ack_id: String(row['open_ack_id']),
    side: row['side'],
    price: Number(row['price']),
    avg_price: filled === 0 ? null : Number(row['filled_ticks']) / filled,
    quantity_requested: Number(row['requested']),
    quantity_filled: filled,
    status: row['status'],
    time_in_force: row['time_in_force'],
  } satisfies Record<keyof WireOrder, unknown>;
}

const page = database.prepare(
  'SELECT * FROM orders WHERE (time_ns, id) < (?, ?) ORDER BY time_ns DESC, id DESC LIMIT ?',
);
page.setReadBigInts(true);

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  const [time = LAST, id = LAST] = query.get('cursor')?.split('.').map(BigInt) ?? [];
  const rows = page.all(time, id, Number(query.get('limit') ?? 100));
  const last = rows.at(-1);
  const cursor = last ? `${String(last['time_ns'])}.${String(last['id'])}` : null;
  const body = JSON.stringify({ data: rows.map(toWire), pagination: { cursor } });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
});

server.listen(0, '127.0.0.1', () => {
  console.log(`ready at http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
});
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
