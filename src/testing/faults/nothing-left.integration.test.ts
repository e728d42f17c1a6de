import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { responds, resets, thenEnds, thenResets, writes, type Behaviour } from './behaviours.ts';
import { measureHeldMemory } from './held-memory.ts';
import { openFault } from './open-fault.ts';

const PAGE = 200_000;
const large = `["${'x'.repeat(PAGE)}"]`;
const half = { 'content-length': String(PAGE) };
const BEHAVIOURS: readonly Behaviour[] = [
  responds({ body: large }),
  responds({ body: gzipSync(large), headers: { 'content-encoding': 'gzip' } }),
  resets,
  thenResets(responds({ headers: half })),
  thenEnds(responds({ headers: half })),
  thenEnds(writes('HTTP/1.1 200 OK\r\n')),
  responds({ headers: { 'content-length': '20' } }),
  responds({ headers: { 'content-encoding': 'gzip' }, body: large }),
  responds({ headers: { 'content-encoding': 'zstd' }, body: large }),
  responds({ status: 500, body: large }),
  responds({ status: 308, body: large, headers: { location: '/elsewhere' } }),
  responds({ status: 404, body: large }),
  responds({ headers: { 'content-type': 'text/html' }, body: large }),
  writes(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`),
];

function countResources(): Readonly<Record<string, number>> {
  const kinds = ['TCPSocketWrap', 'TCPServerWrap', 'Timeout'];
  const active = process.getActiveResourcesInfo();
  return Object.fromEntries(kinds.map((kind) => [kind, active.filter((name) => name === kind).length]));
}

describe('after repeated faults of every kind', () => {
  it('no memory, connection or timer leaks', async () => {
    const before = countResources();
    const fault = await openFault();
    const round = async (): Promise<void> => {
      for (const behaviour of BEHAVIOURS) {
        fault.advance(61_000);
        fault.venue.alwaysDoes(behaviour);
        await fault.send();
        await fault.send('/api/orders/working');
        await fault.send('/api/orders/working');
      }
      fault.venue.alwaysDoes(responds());
      await fault.expectRecovered(2);
    };
    await round();
    const held = measureHeldMemory();
    for (let rounds = 0; rounds < 10; rounds++) await round();
    expect(fault.venue.requests.length).toBeGreaterThan(10 * BEHAVIOURS.length);
    // One leaked large response per round would be five times this.
    expect(measureHeldMemory() - held).toBeLessThan(2 * PAGE * 5);
    await fault.closeDesk();
    await expect.poll(fault.venue.openConnections).toBe(0);
    await fault.venue.close();
    // Fewer handles may be left than before, because other files of this process have handles as well. One timer
    // belongs to the poll itself.
    const left = () =>
      Object.entries(countResources()).filter(
        ([kind, count]) => count - (kind === 'Timeout' ? 1 : 0) > (before[kind] ?? 0),
      );
    await expect.poll(left).toEqual([]);
  });
});
