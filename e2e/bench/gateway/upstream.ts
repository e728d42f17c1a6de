/**
 * The exchange behind all proxies. It sends prepared responses and checks nothing. It shares a core with the client, so
 * it parses no more of a request than necessary, to keep its own cost out of the measurement. It sends a page of orders
 * or, for `/orders/working`, the largest working set.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createWireOrders } from '../lib/wire-orders.ts';

const PAGE_ORDERS = 48;
const WORKING_ORDERS = 10_000;
/** A `Date` has whole seconds. */
const SECOND_MS = 1_000;

const TAG = '"as-it-is"';
const HEAD_END = '\r\n\r\n';

const page = Buffer.from(JSON.stringify({ data: createWireOrders(PAGE_ORDERS), pagination: { cursor: null } }));
const workingSet = Buffer.from(JSON.stringify(createWireOrders(WORKING_ORDERS)));

let date = new Date().toUTCString();
setInterval(() => {
  date = new Date().toUTCString();
}, SECOND_MS).unref();

function respond(socket: Socket, request: string): void {
  const common = `date: ${date}\r\netag: ${TAG}${HEAD_END}`;
  if (request.includes(TAG)) {
    socket.write(`HTTP/1.1 304 Not Modified\r\n${common}`);
    return;
  }
  const body = request.includes('/orders/working') ? workingSet : page;
  socket.cork();
  socket.write(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${String(body.byteLength)}\r\n${common}`,
  );
  socket.write(body);
  socket.uncork();
}

/** Serves a connection. Requests have no body, so each ends where its head does. */
function serve(socket: Socket): void {
  let rest = '';
  socket.on('data', (bytes) => {
    const requests = (rest + bytes.toString('latin1')).split(HEAD_END);
    rest = requests.pop() ?? '';
    for (const request of requests) respond(socket, request);
  });
  socket.on('error', () => socket.destroy());
}

const server = createServer({ noDelay: true }, serve);
server.listen(0, '127.0.0.1', () => {
  console.log(`ready at http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`);
});
