import { createServer, request as httpRequest } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** The longest delays, in milliseconds; their mean is a third of that. */
const LONGEST = { data: 2_000, asset: 600 };

/** A proxy for the browser that delays each response by a random time, so that they arrive in any order. */
const random = seeded(Number(process.env['E2E_SHAKE']));

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '');
  const delay = random() ** 2 * (url.pathname.startsWith('/api/') ? LONGEST.data : LONGEST.asset);
  // Part of the delay is on the way to the server, so that it too reads in another order.
  const before = delay * random();
  void pause(before).then(() => {
    const sent = httpRequest(url, { method: request.method ?? 'GET', headers: request.headers }, (received) => {
      void pause(delay - before).then(() => {
        if (response.destroyed) return;
        response.writeHead(received.statusCode ?? 502, received.headers);
        received.pipe(response);
      });
      received.once('error', () => response.destroy());
    });
    sent.once('error', () => response.destroy());
    response.once('close', () => sent.destroy());
    request.pipe(sent);
  });
});

// Requests that a test itself sends, or that its routes fetch, are not delayed.
server.on('connect', ({ url = '' }, socket) => {
  const { hostname, port } = new URL(`http://${url}`);
  void pause(random() ** 2 * LONGEST.data).then(() => {
    const target = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.once('error', () => socket.destroy());
    socket.once('error', () => target.destroy());
  });
});

server.listen(0, '127.0.0.1', () => {
  console.log(`shakes at http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
});

/** Generates random numbers by Mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
