import { describe, expect, it } from 'vitest';
import { SIGNATURE_WINDOW_MS } from '#contract/exchange/signing.ts';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createBody } from '#server/core/body.ts';
import { DESK_ITSELF, type RateLimiter } from '#server/core/ports.ts';
import { VoidPermit } from '#server/core/venue-failure.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';
import { attempt } from './attempt.ts';
import { createAuthBackoff, createSigner } from './signer.ts';
import type { UpstreamResponse } from './response.ts';
import type { Transport } from './transport.ts';
import { createVenueClock } from './venue-clock.ts';

type Sent = Omit<Parameters<Transport['send']>[0], 'headers'> & { readonly headers: Readonly<Record<string, string>> };

const NOW = Date.UTC(2026, 7, 17, 12);
const signal = new AbortController().signal;

interface World {
  /** The time to get a permit. */
  readonly permitMs?: number;
  /** How many permits become void before their request is sent. */
  readonly voidPermits?: number;
  /** The time to then get a connection. */
  readonly connectionMs?: number;
  readonly headers?: (now: number) => UpstreamResponse['headers'];
  /** By the machine’s clock, which `correct` may have set wrong. */
  readonly statusOf?: (request: Sent, now: number) => number;
}

/** An attempt with a controlled clock and an exchange that responds as scripted. */
function openWorld({
  permitMs = 0,
  voidPermits: given = 0,
  connectionMs = 0,
  headers = (now) => ({ date: new Date(now).toUTCString() }),
  statusOf = () => 200,
}: World) {
  const profile = VENUES['sandbox'];
  if (profile === undefined) throw new Error('There is no profile of the sandbox.');
  let now = NOW;
  const sent: (Sent & { readonly at: number })[] = [];
  let settled = 0;
  let voidPermits = given;
  const rateLimiter: RateLimiter = {
    shareOf: () => null,
    acquire: () => {
      now += permitMs;
      return Promise.resolve({
        begin: () => {
          if (voidPermits-- > 0) throw new VoidPermit();
        },
        settle: () => void (settled += 1),
      });
    },
    pauseFor: () => undefined,
    state: () => ({
      limit: null,
      used: 0,
      nextFreeMs: null,
      allFreeMs: null,
      waiting: 0,
      byPurpose: { interactive: 0, working: 0, trailing: 0, estimates: 0, history: 0, prefetch: 0 },
    }),
    close: () => undefined,
  };
  const clock = createVenueClock();
  const signer = createSigner('3f', 'ab'.repeat(32));
  const parts = {
    profile,
    basePath: '/exchange/api',
    rateLimiter,
    clock,
    signer,
    authBackoff: createAuthBackoff(signer, () => now),
    nextTag: () => '"t"',
    onRejection: () => undefined,
    now: () => now,
    transport: {
      send: (toSend: Parameters<Transport['send']>[0]) => {
        now += connectionMs;
        const request = { ...toSend, headers: toSend.headers() };
        toSend.begin();
        sent.push({ ...request, at: now });
        return Promise.resolve({
          status: statusOf(request, now),
          headers: { 'content-type': 'application/json', 'content-length': '2', ...headers(now) },
          body: createBody([Buffer.from('[]')]),
        });
      },
      close: () => Promise.resolve(),
    },
  };
  const correct = (milliseconds: number): void => void (now += milliseconds);
  return {
    clock,
    sent,
    signer,
    settled: () => settled,
    correct,
    readPrivate: () =>
      attempt(parts, toVenueRequest(profile, 'ordersWorking', {}, []), {
        purpose: 'working',
        payers: DESK_ITSELF,
        signal,
      }),
  };
}

const stampOf = ({ headers }: Sent): number => Date.parse(headers['BTNL-AUTH-TIMESTAMP'] ?? '');

describe('a private request', () => {
  it.each([{ permitMs: 14_000 }, { connectionMs: 29_000 }])(
    'is signed just before it is sent, however long it waited for its permit or a connection',
    async (waits) => {
      const { sent, readPrivate } = openWorld(waits);
      await readPrivate();
      const [, request] = sent;
      expect(sent).toHaveLength(2);
      expect(Math.abs(request === undefined ? NaN : stampOf(request) - request.at)).toBeLessThanOrEqual(501);
    },
  );

  it('is preceded by one public request for the clock, once only, even if no response has a usable date', async () => {
    for (const headers of [() => ({}), (now: number) => ({ date: new Date(now).toUTCString(), age: '7' })]) {
      const { sent, readPrivate, clock } = openWorld({ headers });
      await readPrivate();
      await readPrivate();
      await readPrivate();
      expect({ sent: sent.length, offset: clock.offsetMs() }).toEqual({ sent: 4, offset: null });
    }
  });

  it('ignores the date of a response that a cache held, and of one with two dates', async () => {
    const old = (now: number): string => new Date(now - 60_000).toUTCString();
    for (const headers of [
      (now: number) => ({ date: old(now), age: '60' }),
      (now: number) => ({ date: [old(now), new Date(now).toUTCString()] }),
    ]) {
      const { sent, readPrivate } = openWorld({ headers });
      await readPrivate();
      expect(sent.map((request) => stampOf(request) - request.at)).toEqual([NaN, 0]);
    }
  });

  it.each(['+275760-09-13T00:00:00Z', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'is signed by this machine’s clock if the exchange sends the date %s',
    async (date) => {
      const { sent, readPrivate } = openWorld({ headers: () => ({ date }) });
      await readPrivate();
      expect(sent.map((request) => stampOf(request) - request.at)).toEqual([NaN, 0]);
    },
  );

  it.each([3_600_000, -3_600_000])(
    'is signed and sent once more after this machine’s clock was set by %i ms',
    async (step) => {
      let wrongBy = 0;
      const venueTime = (now: number): number => now - wrongBy;
      const { sent, readPrivate, correct, clock } = openWorld({
        headers: (now) => ({ date: new Date(venueTime(now)).toUTCString() }),
        statusOf: (request, now) => (Math.abs(stampOf(request) - venueTime(now)) > SIGNATURE_WINDOW_MS ? 401 : 200),
      });
      await readPrivate();
      correct(step);
      wrongBy = step;
      await readPrivate();
      expect(sent).toHaveLength(4);
      expect(Math.abs((clock.offsetMs() ?? NaN) + step)).toBeLessThanOrEqual(1_000);
    },
  );

  it('is signed and sent once more where the key changed while it was on its way', async () => {
    const token = 'cd'.repeat(32);
    const signed = (request: Sent): string => request.headers['BTNL-SIGNATURE'] ?? '';
    const world = openWorld({
      statusOf: (request) => {
        const isNew = world.signer.changes() > 0;
        world.signer.changeToken(token);
        return isNew || signed(request) === '' ? 200 : 401;
      },
    });
    world.clock.learn(new Date(NOW).toUTCString(), NOW, NOW);
    await world.readPrivate();
    expect(world.sent).toHaveLength(2);
    expect(signed(world.sent[1] ?? expect.fail())).not.toBe(signed(world.sent[0] ?? expect.fail()));
  });

  it('is sent once more at most, however the exchange’s clock jumps', async () => {
    let hours = 0;
    const { sent, readPrivate } = openWorld({
      headers: (now) => ({ date: new Date(now + 3_600_000 * hours++).toUTCString() }),
      statusOf: (request) => (Number.isNaN(stampOf(request)) ? 200 : 401),
    });
    await expect(readPrivate()).rejects.toMatchObject({ problem: { type: 'clock-skew' } });
    expect(sent).toHaveLength(3);
  });

  it('takes another permit for a request whose permit became void, and does not send it without one', async () => {
    const { sent, settled, readPrivate } = openWorld({ voidPermits: 2 });
    await readPrivate();
    expect({ sent: sent.length, settled: settled() }).toEqual({ sent: 2, settled: 4 });
    const never = openWorld({ voidPermits: 99 });
    await expect(never.readPrivate()).rejects.toMatchObject({ problem: { type: 'venue-timeout' } });
    expect(never.sent).toEqual([]);
  });

  it('takes a permit for each request, and settles each', async () => {
    const { sent, settled, readPrivate } = openWorld({});
    await readPrivate();
    expect({ sent: sent.length, settled: settled() }).toEqual({ sent: 2, settled: 2 });
  });
});
