import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { responds } from './behaviours.ts';
import { measureHeldMemory } from './held-memory.ts';
import { openFault, PUBLIC } from './open-fault.ts';
import { openRawClient } from './raw-client.ts';

const MB = 1_048_576;
const READERS = 40;
/** The largest size that a response may have. */
const body = Buffer.from(`["${'x'.repeat(16 * MB - 4)}"]`);

/** Sends a request, waits for the response to begin, and reads nothing of it. */
async function openSlowReader(address: string, path: string): Promise<Socket> {
  const socket = openRawClient(address, path);
  await once(socket, 'readable');
  return socket;
}

describe('clients that do not read their responses', () => {
  it('share one response in memory and delay no other client', async () => {
    const fault = await openFault();
    await fault.expectRecovered();
    fault.advance(60_000);
    const before = measureHeldMemory();
    fault.venue.does(responds({ body }));
    const readers = await Promise.all(Array.from({ length: READERS }, () => openSlowReader(fault.address, PUBLIC)));
    expect(fault.venue.requests).toHaveLength(2);
    expect(measureHeldMemory() - before).toBeLessThan(3 * body.byteLength);
    expect((await fault.send('/api/web/market/stats/trailing/1')).status).toBe(200);
    expect((await fault.send(PUBLIC)).body.byteLength).toBe(body.byteLength);
    for (const reader of readers) reader.destroy();
    await fault.expectRecovered();
    await expect.poll(() => measureHeldMemory() - before).toBeLessThan(4 * MB);
  });
});
