import { describe, expect, it } from 'vitest';
import { SIGNATURE_WINDOW_MS } from '#contract/signing.ts';
import { VENUES } from '#contract/venues.ts';
import { createBody } from '../body.ts';
import type { Ledger } from '../ports.ts';
import { toQuestion } from '../question.ts';
import { attempt } from './attempt.ts';
import { createKeyHold } from './key-hold.ts';
import { createSigner } from './signer.ts';
import type { Received } from './exchange.ts';
import type { Transport } from './transport.ts';
import { createVenueClock } from './venue-clock.ts';

type ToSend = Parameters<Transport['send']>[0];

const NOW = Date.UTC(2026, 7, 17, 12);
const signal = new AbortController().signal;

interface World {
  /** How long a permit is in coming. */
  readonly permitMs?: number;
  readonly headers?: (now: number) => Received['headers'];
  /** By the machine’s clock, which `correct` may have set wrong. */
  readonly statusOf?: (request: ToSend, now: number) => number;
}

/** The parts of an attempt, with a clock of the test's own and a venue that says what the test wants. */
function openWorld({ permitMs = 0, headers = (now) => ({ date: new Date(now).toUTCString() }), statusOf = () => 200 }: World) {
  const profile = VENUES['sandbox'];
  if (profile === undefined) throw new Error('There is no profile of the sandbox.');
  let now = NOW;
  const sent: (ToSend & { readonly at: number })[] = [];
  let settled = 0;
  const ledger: Ledger = {
    take: () => {
      now += permitMs;
      return Promise.resolve({ settle: () => void (settled += 1) });
    },
    hold: () => undefined,
    state: () => ({ limit: null, used: 0, nextBackMs: null, allBackMs: null, waiting: 0, byPurpose: { click: 0, working: 0, trailing: 0, estimates: 0, history: 0, prefetch: 0 } }),
    close: () => undefined,
  };
  const clock = createVenueClock();
  const parts = {
    profile,
    basePath: '/exchange/api',
    ledger,
    clock,
    signer: createSigner('3f', 'ab'.repeat(32)),
    keyHold: createKeyHold(true, () => now),
    nextTag: () => '"t"',
    onRefusal: () => undefined,
    now: () => now,
    transport: {
      send: (request: ToSend) => {
        sent.push({ ...request, at: now });
        return Promise.resolve({ status: statusOf(request, now), headers: { 'content-type': 'application/json', 'content-length': '2', ...headers(now) }, body: createBody([Buffer.from('[]')]) });
      },
      close: () => Promise.resolve(),
    },
  };
  const correct = (milliseconds: number): void => void (now += milliseconds);
  return { clock, sent, settled: () => settled, correct, askPrivate: () => attempt(parts, toQuestion(profile, 'ordersWorking', {}, []), { purpose: 'working', signal }) };
}

const stampOf = ({ headers }: ToSend): number => Date.parse(headers['BTNL-AUTH-TIMESTAMP'] ?? '');

describe('a private question', () => {
  it('is stamped when its permit has come, however long that took', async () => {
    const { sent, askPrivate } = openWorld({ permitMs: 14_000 });
    await askPrivate();
    const [, question] = sent;
    expect(sent).toHaveLength(2);
    expect(Math.abs(stampOf(question ?? { target: '', headers: {}, signal }) - (question?.at ?? NaN))).toBeLessThanOrEqual(501);
  });

  it('is preceded by one for the clock once only, even where nothing tells the time', async () => {
    for (const headers of [() => ({}), (now: number) => ({ date: new Date(now).toUTCString(), age: '7' })]) {
      const { sent, askPrivate, clock } = openWorld({ headers });
      await askPrivate();
      await askPrivate();
      await askPrivate();
      expect({ sent: sent.length, offset: clock.offsetMs() }).toEqual({ sent: 4, offset: null });
    }
  });

  it('learns the clock from no answer that a cache held back, nor from one with two dates', async () => {
    const old = (now: number): string => new Date(now - 60_000).toUTCString();
    for (const headers of [(now: number) => ({ date: old(now), age: '60' }), (now: number) => ({ date: [old(now), new Date(now).toUTCString()] })]) {
      const { sent, askPrivate } = openWorld({ headers });
      await askPrivate();
      expect(sent.map((request) => stampOf(request) - request.at)).toEqual([NaN, 0]);
    }
  });

  it.each([3_600_000, -3_600_000])('is stamped anew and asked once more where this machine’s clock was set by %i ms since', async (step) => {
    let wrongBy = 0;
    const venueTime = (now: number): number => now - wrongBy;
    const { sent, askPrivate, correct, clock } = openWorld({
      headers: (now) => ({ date: new Date(venueTime(now)).toUTCString() }),
      statusOf: (request, now) => (Math.abs(stampOf(request) - venueTime(now)) > SIGNATURE_WINDOW_MS ? 401 : 200),
    });
    await askPrivate();
    correct(step);
    wrongBy = step;
    await askPrivate();
    expect(sent).toHaveLength(4);
    expect(Math.abs((clock.offsetMs() ?? NaN) + step)).toBeLessThanOrEqual(1_000);
  });

  it('is asked once more at most, however the venue’s clock jumps', async () => {
    let hours = 0;
    const { sent, askPrivate } = openWorld({
      headers: (now) => ({ date: new Date(now + 3_600_000 * hours++).toUTCString() }),
      statusOf: (request) => (Number.isNaN(stampOf(request)) ? 200 : 401),
    });
    await expect(askPrivate()).rejects.toMatchObject({ problem: { type: 'clock-skew' } });
    expect(sent).toHaveLength(3);
  });

  it('takes a permit for each request, and settles each', async () => {
    const { sent, settled, askPrivate } = openWorld({});
    await askPrivate();
    expect({ sent: sent.length, settled: settled() }).toEqual({ sent: 2, settled: 2 });
  });
});
