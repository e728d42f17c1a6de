/**
 * An exchange whose working orders change. It returns all of them in one response, regardless of the filter. Argument:
 * the address of an exchange that responds to all other requests; without it they fail. Messages: a way to change, or
 * `counts`, which returns the requests so far by path.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forward } from '../lib/forward.ts';
import type { WireOrder } from '../lib/wire-orders.ts';
import { createBook, type Book } from './book.ts';
import { CLOCK_MS } from './clock.ts';

/** `by-second`: 600 rows per second. `clock`: the quantity of the first order is the current time. */
export type Change = 'none' | 'by-reading' | 'by-second' | 'clock';

const SECOND_MS = 1_000;
const [venue] = process.argv.slice(2);
const counts = new Map<string, number>();
let change: Change = 'none';
let book: Book | null = null;
let changedAt = performance.now();

const server = createServer((request, response) => {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  counts.set(path, (counts.get(path) ?? 0) + 1);
  if (path.endsWith('/orders/working')) void sendWorking(request, response);
  else if (venue === undefined) response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  else
    void forward(venue, request).then(({ status, headers, body }) => {
      response.writeHead(status, headers).end(body);
    });
});

async function sendWorking(request: IncomingMessage, response: ServerResponse): Promise<void> {
  book ??= createBook(venue === undefined ? undefined : await readFirst(venue, request));
  if (change === 'by-reading') book.change();
  if (change === 'by-second') for (; performance.now() - changedAt > SECOND_MS; changedAt += SECOND_MS) book.change();
  const body = JSON.stringify(change === 'clock' ? withClock(book.orders()) : book.orders());
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}

async function readFirst(address: string, request: IncomingMessage): Promise<readonly WireOrder[]> {
  const { status, body } = await forward(address, request);
  if (status !== 200) throw new Error(`the exchange responded with ${String(status)}: ${body.toString()}`);
  return JSON.parse(body.toString()) as readonly WireOrder[];
}

function withClock([first, ...others]: readonly WireOrder[]): readonly (WireOrder | undefined)[] {
  return [
    first && { ...first, quantity_requested: Date.now() % CLOCK_MS, quantity_filled: 0, avg_price: null },
    ...others,
  ];
}

process.on('message', (message) => {
  if (message !== 'counts') {
    change = message as Change;
    changedAt = performance.now();
  }
  process.send?.(Object.fromEntries(counts));
});
server.listen(0, '127.0.0.1', () => {
  console.log(
    `ready at http://127.0.0.1:${String((server.address() as AddressInfo).port)}${venue === undefined ? '/' : new URL(venue).pathname}`,
  );
});
