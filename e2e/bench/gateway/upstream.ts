/**
 * The exchange that all proxies stand before: it answers at once what it has ready, and checks nothing, so that it takes
 * little of the core it shares with who asks. A page of orders, or for `/orders/working` the largest working set.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWireOrders } from '../lib/wire-orders.ts';

const PAGE_ORDERS = 48;
const WORKING_ORDERS = 10_000;

const TAG = '"as-it-is"';
const page = Buffer.from(JSON.stringify({ data: createWireOrders(PAGE_ORDERS), pagination: { cursor: null } }));
const workingSet = Buffer.from(JSON.stringify(createWireOrders(WORKING_ORDERS)));

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.headers['if-none-match'] === TAG) {
    response.writeHead(304, { etag: TAG }).end();
    return;
  }
  const body = request.url?.includes('/orders/working') === true ? workingSet : page;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.byteLength, etag: TAG }).end(body);
});

server.listen(0, '127.0.0.1', () => {
  console.log(`ready at http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
});
