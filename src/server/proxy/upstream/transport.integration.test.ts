import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { EndpointName } from '#contract/exchange/endpoints.ts';
import { VoidPermit } from '#server/core/venue-failure.ts';
import { responds, hangs } from '#testing/faults/behaviours.ts';
import { openFaultyVenue } from '#testing/faults/faulty-venue.ts';
import { measureHeldMemory } from '#testing/faults/held-memory.ts';
import { createTransport } from './transport.ts';

const CONNECTIONS = 16;
/** Enough endpoints to use all connections. */
const ENDPOINTS_AT_LEAST: readonly EndpointName[] = [
  'chartVoi',
  'chartPrice',
  'orders',
  'ordersWorking',
  'fundingRates',
  'trailingStats',
  'productSpecs',
  'productData',
];
const endpointOf = (number: number): EndpointName => ENDPOINTS_AT_LEAST[number % ENDPOINTS_AT_LEAST.length] ?? 'orders';

async function openTransport() {
  const venue = await openFaultyVenue({ now: Date.now });
  const timers = new Set<() => void>();
  const transport = createTransport({
    baseUrl: venue.baseUrl,
    schedule: (_, call) => {
      timers.add(call);
      return () => void timers.delete(call);
    },
  });
  onTestFinished(venue.close);
  onTestFinished(transport.close);
  const send = (
    target: string,
    signal: AbortSignal,
    endpoint: EndpointName = 'orders',
    begin: () => void = () => undefined,
  ) => transport.send({ target, endpoint, purpose: 'history', headers: () => ({}), begin, signal });
  return { venue, send, timers };
}

describe('requests that wait for a connection', () => {
  it('are dropped at once when their caller leaves, and never sent', async () => {
    const { venue, send, timers } = await openTransport();
    venue.alwaysDoes(hangs);
    const all = new AbortController();
    const hung = Array.from({ length: CONNECTIONS }, (_, number) =>
      send(`/hung/${String(number)}`, all.signal, endpointOf(number)).catch(() => 'left'),
    );
    await expect.poll(() => venue.requests.length).toBe(CONNECTIONS);
    const one = new AbortController();
    const waiting = send('/waiting', one.signal);
    one.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect({ open: venue.openConnections(), timers: timers.size }).toEqual({ open: CONNECTIONS, timers: CONNECTIONS });
    all.abort();
    expect(await Promise.all(hung)).toEqual(Array(CONNECTIONS).fill('left'));
    venue.alwaysDoes(responds());
    expect((await send('/next', new AbortController().signal)).status).toBe(200);
    expect(venue.requests.map(({ target }) => target)).not.toContain('/waiting');
    expect(timers.size).toBe(0);
  });

  it('fail when their total time is over', async () => {
    const { venue, send, timers } = await openTransport();
    venue.alwaysDoes(hangs);
    const { signal } = new AbortController();
    const all = Array.from({ length: CONNECTIONS + 1 }, (_, number) =>
      send(`/${String(number)}`, signal, endpointOf(number)).catch((error: unknown) => String(error)),
    );
    await expect.poll(() => venue.requests.length).toBe(CONNECTIONS);
    for (const call of timers) call();
    expect(new Set(await Promise.all(all))).toEqual(new Set(['VenueFailure: The exchange did not respond in time.']));
    await expect.poll(venue.openConnections).toBe(0);
  });
});

describe('a request without a caller', () => {
  it('is not sent', async () => {
    const { venue, send } = await openTransport();
    await expect(send('/', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect((await send('/next', new AbortController().signal)).status).toBe(200);
    expect(venue.requests.map(({ target }) => target)).toEqual(['/next']);
  });
});

describe('a request that may no longer begin', () => {
  it('is not written, whether or not a connection is open, and the next one is', async () => {
    const { venue, send } = await openTransport();
    const { signal } = new AbortController();
    const refuse = () => {
      throw new VoidPermit();
    };
    await expect(send('/void', signal, 'orders', refuse)).rejects.toBeInstanceOf(VoidPermit);
    expect((await send('/first', signal)).status).toBe(200);
    await expect(send('/void', signal, 'orders', refuse)).rejects.toBeInstanceOf(VoidPermit);
    expect((await send('/second', signal)).status).toBe(200);
    expect(venue.requests.map(({ target }) => target)).toEqual(['/first', '/second']);
  });
});

describe('large responses', () => {
  const MB = 1_048_576;
  const large = Buffer.alloc(12 * MB, ' ');
  it.each([
    ['plain', responds({ body: large })],
    ['compressed', responds({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(large) })],
  ])('that arrive %s at the same time take turns, so that they never take all memory', async (_, behaviour) => {
    const { venue, send, timers } = await openTransport();
    venue.alwaysDoes(behaviour);
    const { signal } = new AbortController();
    const before = measureHeldMemory();
    const held: number[] = [];
    const sizes = Array.from({ length: CONNECTIONS }, async (_none, number) => {
      const { byteLength } = (await send(`/${String(number)}`, signal, endpointOf(number))).body;
      held.push(measureHeldMemory() - before);
      return byteLength;
    });
    expect(await Promise.all(sizes)).toEqual(Array(CONNECTIONS).fill(large.byteLength));
    // Four of them, one of which is being joined, and the beginnings of the others.
    expect(Math.max(...held)).toBeLessThan(80 * MB);
    expect(timers.size).toBe(0);
  });
});
