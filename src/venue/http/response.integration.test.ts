import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { sendJson, toJsonList } from './response.ts';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Returns what a client receives of a list. */
async function readList(rows: readonly string[]): Promise<unknown> {
  const server = createServer((_, response) => {
    const sending = { now: 0, isPrivate: false, pause: () => setImmediate() };
    void sendJson(
      response,
      toJsonList(rows, (row) => JSON.stringify(row)),
      sending,
    );
  }).listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await once(server, 'listening');
  const received = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return received.json();
}

test.each([0, 1, 249, 250, 251, 1_000])('%i rows arrive complete and in order', async (count) => {
  const rows = Array.from({ length: count }, (_, i) => `row ${i}`);
  expect(await readList(rows)).toEqual(rows);
});

test('non-ASCII chunks arrive unchanged, next to ASCII chunks', async () => {
  const rows = Array.from({ length: 1_000 }, (_, i) => (i === 600 ? 'Zürich 東京 🂡' : `row ${i}`));
  expect(await readList(rows)).toEqual(rows);
});
