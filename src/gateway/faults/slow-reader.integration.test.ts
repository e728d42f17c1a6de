import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answers } from '#testing/fault/behaviours.ts';
import { measureHeldMemory } from '#testing/fault/held-memory.ts';
import { openFault, PUBLIC } from '#testing/fault/open-fault.ts';

const MB = 1_048_576;
const READERS = 40;
const body = Buffer.from(`["${'x'.repeat(16 * MB)}"]`);

/** Asks, takes the first bytes of the answer, and then no more. */
async function openSlowReader(address: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined).write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

describe('clients that do not read what they asked for', () => {
  it('hold one answer together, however many they are, and keep nobody else waiting', async () => {
    const fault = await openFault();
    await fault.expectGood();
    fault.advance(60_000);
    const before = measureHeldMemory();
    fault.venue.does(answers({ body }));
    const readers = await Promise.all(Array.from({ length: READERS }, () => openSlowReader(fault.address, PUBLIC)));
    expect(fault.venue.requests).toHaveLength(2);
    expect(measureHeldMemory() - before).toBeLessThan(3 * body.byteLength);
    expect((await fault.ask('/api/web/market/stats/trailing/1')).status).toBe(200);
    expect((await fault.ask(PUBLIC)).body.byteLength).toBe(body.byteLength);
    for (const reader of readers) reader.destroy();
    await fault.expectGood();
    await expect.poll(() => measureHeldMemory() - before).toBeLessThan(4 * MB);
  });
});
