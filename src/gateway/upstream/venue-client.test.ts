import { describe, expect, it } from 'vitest';
import { VENUES } from '#contract/venues.ts';
import { PURPOSES, VenueFailure, type Ledger, type Problem, type Purpose } from '../ports.ts';
import { toQuestion } from '../question.ts';
import { PassingFailure } from './passing-failure.ts';
import { createVenueClient } from './venue-client.ts';
import { createVenueClock } from './venue-clock.ts';

const down: Problem = { type: 'venue-unreachable', detail: 'It cannot be reached.' };
const counts = { click: 0, working: 0, trailing: 0, estimates: 0, history: 0, prefetch: 0 };
const ledger: Ledger = {
  take: () => Promise.resolve({ settle: () => undefined }),
  hold: () => undefined,
  state: () => ({ limit: null, used: 0, nextBackMs: null, allBackMs: null, waiting: 0, byPurpose: counts }),
  close: () => undefined,
};

/** A venue that fails each time, each time after so long; the clock is the test's. */
function openClient(failure: Error, tookMs: number, random = 0.5) {
  const profile = VENUES['sandbox'];
  if (profile === undefined) throw new Error('There is no profile of the sandbox.');
  let now = 0;
  let reason = failure;
  let tries = 0;
  const pauses: number[] = [];
  const fail = (): Promise<never> => {
    now += tookMs;
    tries += 1;
    return Promise.reject(reason);
  };
  const client = createVenueClient({
    profile,
    baseUrl: 'http://127.0.0.1:1/exchange/api',
    basePath: '/exchange/api',
    ledger,
    clock: createVenueClock(),
    signer: null,
    now: () => now,
    elapsed: () => now,
    pause: (milliseconds) => {
      pauses.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
    random: () => random,
    transport: { send: fail, close: () => Promise.resolve() },
  });
  const question = toQuestion(profile, 'trailingStatsAll', {}, []);
  const ask = (purpose: Purpose = 'trailing'): Promise<unknown> =>
    client.read(question, { purpose, signal: new AbortController().signal }).catch((error: unknown) => error);
  const wait = (milliseconds: number): void => void (now += milliseconds);
  const failsBy = (other: Error): void => void (reason = other);
  return { client, ask, pauses, tries: () => tries, wait, failsBy };
}

describe('a venue that fails each time', () => {
  it.each(PURPOSES)('is asked at most three times for %s, and once for what nobody waits for', async (purpose) => {
    const { ask, tries } = openClient(new PassingFailure(down), 10);
    expect(await ask(purpose)).toMatchObject({ problem: down });
    expect(tries()).toBe(purpose === 'prefetch' ? 1 : 3);
  });

  it.each([
    [9_000, 3],
    [10_000, 2],
    [20_000, 1],
  ])('after %i ms each time is tried %i times: no try begins when who asked has given up', async (tookMs, expected) => {
    const { ask, tries } = openClient(new PassingFailure(down), tookMs);
    await ask();
    expect(tries()).toBe(expected);
  });

  it.each([
    [0, [100, 200]],
    [0.5, [200, 400]],
    [1, [300, 600]],
  ])('is given a pause by chance %f: %j ms', async (random, expected) => {
    const { ask, pauses } = openClient(new PassingFailure(down), 10, random);
    await ask();
    expect(pauses).toEqual(expected);
  });

  it('in a way that does not pass is asked once', async () => {
    for (const failure of [new VenueFailure(down), new VenueFailure({ type: 'venue-timeout', detail: '' }), new TypeError('a mistake'), new DOMException('', 'AbortError')]) {
      const { ask, tries } = openClient(failure, 10);
      expect(await ask()).toBe(failure);
      expect(tries()).toBe(1);
    }
  });

  it('is said to be down, with when and why, and a mistake of our own says nothing of it', async () => {
    const venue = openClient(new PassingFailure(down), 10);
    await venue.ask('prefetch');
    expect(venue.client.state()).toMatchObject({ circuit: 'closed', lastAnswerAt: null, lastFailure: { at: 10, problem: down } });
    for (let question = 1; question < 4; question++) await venue.ask();
    // The tries of one question are one failure: there were four.
    expect(venue.client.state().circuit).toBe('closed');
    await venue.ask();
    expect(venue.client.state().circuit).toBe('open');
    const mistaken = openClient(new TypeError('a mistake'), 10);
    for (let time = 0; time < 9; time++) await mistaken.ask();
    expect(mistaken.client.state()).toMatchObject({ circuit: 'closed', lastFailure: null });
  });

  it.each(['budget-spent', 'desk-cannot-write'] as const)('is neither worse nor back when the desk itself does not send: %s', async (type) => {
    const venue = openClient(new PassingFailure(down), 10);
    for (let question = 0; question < 5; question++) await venue.ask();
    venue.failsBy(new VenueFailure({ type, detail: '' }));
    venue.wait(2_000);
    expect(await venue.ask()).toMatchObject({ problem: { type } });
    expect(venue.client.state()).toMatchObject({ circuit: 'open', lastFailure: { problem: down } });
  });

  it('has answered when it says that the question was wrong: that is no failure of its', async () => {
    for (const type of ['not-found', 'bad-parameter', 'too-many-working-orders'] as const) {
      const { ask, client } = openClient(new VenueFailure({ type, detail: '' }), 10);
      await ask();
      expect(client.state()).toMatchObject({ circuit: 'closed', lastAnswerAt: 10, lastFailure: null });
    }
  });
});
