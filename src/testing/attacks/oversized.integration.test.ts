import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { measureHeldMemory } from '../faults/held-memory.ts';
import { LAST, openHostile, statusesOf } from './open-hostile.ts';

const hostile = await openHostile();
const MEGABYTE = 1_024 * 1_024;

beforeEach(() => {
  hostile.venue.forget();
});

const get = (target: string, fields = ''): string => `GET ${target} HTTP/1.1\r\nhost: localhost\r\n${fields}\r\n`;

describe('anything longer than the interface allows is rejected', () => {
  it.each([
    ['a path of 8,193 characters', get('/api/'.padEnd(8_193, 'a')), 414],
    ['a query of 8,193 characters', get('/api/orders?account_id='.padEnd(8_193, 'a')), 414],
    ['a target of 16 kB', get(`/api/${'a'.repeat(16_500)}`), 431],
    ['a target of 1 MB', get(`/api/${'a'.repeat(MEGABYTE)}`), 431],
    ['a header of 17 kB', get('/api/orders', `cookie: ${'a'.repeat(17_000)}\r\n`), 431],
    ['a header’s name of 17 kB', get('/api/orders', `${'a'.repeat(17_000)}: b\r\n`), 431],
    ['4,000 headers', get('/api/orders', 'a: b\r\n'.repeat(4_000)), 431],
    ['a method of 17 kB', `${'G'.repeat(17_000)} /api/orders HTTP/1.1\r\n\r\n`, 400],
  ])('%s', async (_, bytes, status) => {
    const [first] = await hostile.send(bytes + LAST);
    expect(first?.status).toBe(status);
    expect(hostile.venue.requests).toEqual([]);
  });

  it('and 8,192 characters are not longer', async () => {
    const [first] = await hostile.send(get('/api/orders?account_id='.padEnd(8_192, 'a')) + LAST);
    expect(first?.status).toBe(400);
  });
});

it('a request body of 64 MB is neither stored nor passed on', async () => {
  const bytes = 64 * MEGABYTE;
  const before = measureHeldMemory();
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(hostile.address).port) });
  socket.write(`POST /api/orders HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${String(bytes)}\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  const piece = Buffer.alloc(MEGABYTE);
  for (let sent = 0; sent < bytes; sent += MEGABYTE) if (!socket.write(piece)) await once(socket, 'drain');
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 405 /);
  expect(measureHeldMemory() - before).toBeLessThan(8 * MEGABYTE);
  expect(hostile.venue.requests).toEqual([]);
  socket.destroy();
});

it('after a chunk’s extension of 64 kB nothing more is read', async () => {
  const body = `1;${'a'.repeat(65_536)}\r\nx\r\n0\r\n\r\n`;
  const answers = await hostile.send(
    get('/api/funding-rates/?limit=12', 'transfer-encoding: chunked\r\n') + body + get('/api/orders'),
  );
  expect(statusesOf(answers)[0]).toBe(200);
  expect(new Set([413, ...statusesOf(answers.slice(1))])).toEqual(new Set([413]));
  expect(hostile.venue.requests.filter(({ target }) => target.includes('orders'))).toEqual([]);
});

it('a thousand pipelined requests get responses from one read', async () => {
  const answers = await hostile.send(get('/api/funding-rates/?limit=11').repeat(1_000) + LAST);
  expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
  expect(answers).toHaveLength(1_001);
  expect(hostile.venue.requests).toHaveLength(1);
});
