import { describe, expect, it } from 'vitest';
import { type VenueProfile, VENUES } from '#contract/exchange/addresses.ts';
import { createBody } from '#server/core/body.ts';
import { DESK_ITSELF, PURPOSES, type Purpose, type RateLimiter, type ResponseListeners } from '#server/core/ports.ts';
import { VenueFailure, type Problem } from '#server/core/venue-failure.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';
import { TransientFailure, type UpstreamResponse } from './response.ts';
import { createVenueClient } from './venue-client.ts';
import { createVenueClock } from './venue-clock.ts';

const sandbox = VENUES['sandbox'];
if (sandbox === undefined) throw new Error('There is no profile of the sandbox.');
const profile: VenueProfile = sandbox;
const OPTIONS = { purpose: 'trailing', payers: DESK_ITSELF, signal: new AbortController().signal } as const;
const down: Problem = { type: 'venue-unreachable', detail: 'Unreachable.' };
const counts = { interactive: 0, working: 0, trailing: 0, estimates: 0, history: 0, prefetch: 0 };
const rateLimiter: RateLimiter = {
  shareOf: () => null,
  acquire: () => Promise.resolve({ begin: () => undefined, settle: () => undefined }),
  pauseFor: () => undefined,
  state: () => ({ limit: null, used: 0, nextFreeMs: null, allFreeMs: null, waiting: 0, byPurpose: counts }),
  close: () => undefined,
};

/** An exchange that fails each time after `tookMs`, by a controlled clock. */
function openClient(
  failure: Error,
  tookMs: number,
  { random = 0.5, listeners = {} }: { readonly random?: number; readonly listeners?: ResponseListeners } = {},
) {
  let now = 0;
  let reason = failure;
  let attempts = 0;
  const pauses: number[] = [];
  let text: string | null = null;
  const send = (): Promise<UpstreamResponse> => {
    now += tookMs;
    attempts += 1;
    if (text === null) return Promise.reject(reason);
    const headers = { 'content-type': 'application/json', 'content-length': String(text.length) };
    return Promise.resolve({ status: 200, headers, body: createBody([Buffer.from(text)]) });
  };
  const client = createVenueClient({
    profile,
    baseUrl: 'http://127.0.0.1:1/exchange/api',
    basePath: '/exchange/api',
    rateLimiter,
    clock: createVenueClock(),
    signer: null,
    listeners,
    now: () => now,
    elapsed: () => now,
    pause: (milliseconds) => {
      pauses.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
    random: () => random,
    transport: { send, close: () => Promise.resolve() },
  });
  const request = toVenueRequest(profile, 'trailingStatsAll', {}, []);
  const read = (purpose: Purpose = 'trailing'): Promise<unknown> =>
    client.read(request, { ...OPTIONS, purpose }).catch((error: unknown) => error);
  const wait = (milliseconds: number): void => void (now += milliseconds);
  const failsBy = (other: Error): void => void (reason = other);
  const respondsWith = (given: string): void => void (text = given);
  return { client, read, pauses, attempts: () => attempts, wait, failsBy, respondsWith };
}

describe('an exchange that fails each time', () => {
  it.each(PURPOSES)('is read at most three times for %s, and once for a prefetch', async (purpose) => {
    const { read, attempts } = openClient(new TransientFailure(down), 10);
    expect(await read(purpose)).toMatchObject({ problem: down });
    expect(attempts()).toBe(purpose === 'prefetch' ? 1 : 3);
  });

  it.each([
    [9_000, 3],
    [10_000, 2],
    [20_000, 1],
  ])('after %i ms each time is read %i times: no attempt starts after the deadline', async (tookMs, expected) => {
    const { read, attempts } = openClient(new TransientFailure(down), tookMs);
    await read();
    expect(attempts()).toBe(expected);
  });

  it.each([
    [0, [100, 200]],
    [0.5, [200, 400]],
    [1, [300, 600]],
  ])('is retried after a randomised pause (%f): %j ms', async (random, expected) => {
    const { read, pauses } = openClient(new TransientFailure(down), 10, { random });
    await read();
    expect(pauses).toEqual(expected);
  });

  it('permanently is read once', async () => {
    for (const failure of [
      new VenueFailure(down),
      new VenueFailure({ type: 'venue-timeout', detail: '' }),
      new TypeError('a mistake'),
      new DOMException('', 'AbortError'),
    ]) {
      const { read, attempts } = openClient(failure, 10);
      expect(await read()).toBe(failure);
      expect(attempts()).toBe(1);
    }
  });

  it('is reported with time and reason, and a bug of our own is not', async () => {
    const venue = openClient(new TransientFailure(down), 10);
    await venue.read('prefetch');
    expect(venue.client.state()).toMatchObject({
      circuit: 'closed',
      lastResponseAt: null,
      lastFailure: { at: 10, problem: down },
    });
    for (let count = 1; count < 4; count++) await venue.read();
    // The four attempts of one read count as one failure.
    expect(venue.client.state().circuit).toBe('closed');
    await venue.read();
    expect(venue.client.state().circuit).toBe('open');
    const mistaken = openClient(new TypeError('a mistake'), 10);
    for (let time = 0; time < 9; time++) await mistaken.read();
    expect(mistaken.client.state()).toMatchObject({ circuit: 'closed', lastFailure: null });
  });

  it.each(['budget-spent', 'desk-cannot-write'] as const)(
    'keeps its state when Perpdesk itself does not send: %s',
    async (type) => {
      const venue = openClient(new TransientFailure(down), 10);
      for (let count = 0; count < 5; count++) await venue.read();
      venue.failsBy(new VenueFailure({ type, detail: '' }));
      venue.wait(2_000);
      expect(await venue.read()).toMatchObject({ problem: { type } });
      expect(venue.client.state()).toMatchObject({ circuit: 'open', lastFailure: { problem: down } });
    },
  );

  it('has responded, not failed, when it rejects a request', async () => {
    for (const type of ['not-found', 'bad-parameter', 'too-many-working-orders'] as const) {
      const { read, client } = openClient(new VenueFailure({ type, detail: '' }), 10);
      await read();
      expect(client.state()).toMatchObject({ circuit: 'closed', lastResponseAt: 10, lastFailure: null });
    }
  });
});

it('tells a listener each response of its endpoint, and no other', async () => {
  const heard: unknown[] = [];
  const { client, read, respondsWith } = openClient(new TransientFailure(down), 10, {
    listeners: { trailingStatsAll: (request, response) => heard.push(request.name, response.body.toString()) },
  });
  await read('prefetch');
  expect(heard).toEqual([]);
  respondsWith('[]');
  await read();
  await client.read(toVenueRequest(profile, 'fundingRates', {}, []), OPTIONS);
  expect(heard).toEqual(['trailingStatsAll', '[]']);
});
