import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openHostile } from './open-hostile.ts';

const HEADERS_TIMEOUT_MS = 400;
const hostile = await openHostile({ headersTimeoutMs: HEADERS_TIMEOUT_MS });

async function open(): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(hostile.address).port) });
  await once(socket, 'connect');
  return socket;
}

it('a client that sends a request head one byte at a time is disconnected, and others get responses meanwhile', async () => {
  const socket = await open();
  const head = `GET /api/orders HTTP/1.1\r\nhost: localhost\r\nx-slow: ${'a'.repeat(1_000)}`;
  let sent = 0;
  const drip = setInterval(() => socket.write(head.charAt((sent += 1) - 1)), 20);
  const answer = text(socket.on('error', () => undefined));
  const { status } = await hostile.request({ path: '/healthz' });
  const said = await answer.finally(() => {
    clearInterval(drip);
  });
  expect(status).toBe(200);
  expect(said).toMatch(/^HTTP\/1\.1 408 /);
  expect(sent).toBeLessThan(head.length);
  expect(hostile.venue.requests).toEqual([]);
});

it('two hundred silent connections do not block a request', async () => {
  const silent = await Promise.all(Array.from({ length: 200 }, open));
  const { status } = await hostile.request({ path: '/api/funding-rates/?limit=41' });
  expect(status).toBe(200);
  for (const socket of silent) socket.destroy();
});

it('a client that disconnects in the middle of a head leaves nothing behind', async () => {
  for (const bytes of [
    'G',
    'GET /api/orders',
    'GET /api/orders HTTP/1.1\r\n',
    'GET /api/orders HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n',
  ]) {
    const socket = await open();
    socket.write(bytes);
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  const { status } = await hostile.request({ path: '/healthz' });
  expect(status).toBe(200);
  expect(hostile.venue.requests.filter(({ target }) => target.includes('orders'))).toEqual([]);
  expect(hostile.logged.filter(({ level }) => level === 'error')).toEqual([]);
});
