import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { load } from './load.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Responds to every request with these bytes, chunk by chunk. */
async function serve(answer: (socket: Socket, request: number) => void): Promise<URL> {
  let requests = 0;
  const server = createServer((socket) => {
    socket.setNoDelay().on('data', () => {
      answer(socket, ++requests);
    });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return new URL(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
}

function ask(address: URL) {
  return load({ address, path: '/', headers: {}, connections: 2, seconds: 0.05 });
}

const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde';

test('answers are counted by their length, however they are cut on the way', async () => {
  let served = 0;
  const address = await serve((socket, request) => {
    served = request;
    const cut = request % whole.length;
    socket.write(whole.slice(0, cut));
    setImmediate(() => socket.write(whole.slice(cut)));
  });
  const result = await ask(address);
  expect(result.requests).toBe(served);
  expect(served).toBeGreaterThan(2);
  expect(result.p50Ms).toBeLessThanOrEqual(result.p99Ms);
});

test('an answer of another status ends the run with that answer', async () => {
  const address = await serve((socket) => socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'));
  await expect(ask(address)).rejects.toThrow('403 Forbidden');
});

test('a connection closed in the middle of an answer is no answer', async () => {
  const address = await serve((socket) => socket.end(whole.slice(0, -1)));
  await expect(ask(address)).rejects.toThrow('closed');
});
