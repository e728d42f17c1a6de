/**
 * The order pages as one would write them first: rows read as objects, the objects made JSON. It checks no signature and
 * no parameter, which is in its favour. Arguments: its own database, and the venue's to copy the orders from once.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { Order } from '../../../src/contract/order.ts';

const fields = Object.keys(Order.properties);

const [file = '', source = ''] = process.argv.slice(2);
const database = new DatabaseSync(file);
if (database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) copyOrders();

function copyOrders(): void {
  const values = fields.map((field) => `body ->> '${field}'`);
  database.exec(`ATTACH '${source}' AS venue; PRAGMA synchronous = OFF;`);
  database.exec(`CREATE TABLE orders (${fields.join(', ')}, PRIMARY KEY (id));`);
  database.exec(`INSERT INTO orders SELECT ${values.join(', ')} FROM venue.orders;`);
  database.exec('CREATE INDEX orders_by_time ON orders (time, id); ANALYZE; DETACH venue;');
}

const before = database.prepare('SELECT * FROM orders WHERE (time, id) < (?, ?) ORDER BY time DESC, id DESC LIMIT ?');

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  const [time = '9', id = ''] = query.get('cursor')?.split('/') ?? [];
  const data = before.all(time, id, Number(query.get('limit') ?? 100));
  const last = data.at(-1);
  const cursor = last ? `${String(last['time'])}/${String(last['id'])}` : null;
  const body = JSON.stringify({ data, pagination: { cursor } });
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
});

server.listen(0, '127.0.0.1', () => {
  console.log(`ready at http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
});
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
