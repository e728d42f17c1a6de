import { describe, expect, it, onTestFinished } from 'vitest';
import { responds, hangs } from '#testing/fault/behaviours.ts';
import { openFaultyVenue } from '#testing/fault/faulty-venue.ts';
import { createTransport } from './transport.ts';

const CONNECTIONS = 16;

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
  const send = (target: string, signal: AbortSignal) => transport.send({ target, headers: {}, signal });
  return { venue, send, timers };
}

describe('requests that wait for a connection', () => {
  it('are dropped at once when their caller leaves, and never sent', async () => {
    const { venue, send, timers } = await openTransport();
    venue.alwaysDoes(hangs);
    const all = new AbortController();
    const hung = Array.from({ length: CONNECTIONS }, (_, number) => send(`/hung/${String(number)}`, all.signal).catch(() => 'left'));
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
    const all = Array.from({ length: CONNECTIONS + 1 }, (_, number) => send(`/${String(number)}`, signal).catch((error: unknown) => String(error)));
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
