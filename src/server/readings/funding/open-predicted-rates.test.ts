import { expect, test } from 'vitest';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createBody } from '#server/core/body.ts';
import { DESK_ITSELF, type Purpose, type Reader, type Served } from '#server/core/ports.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { openPredictedRates } from './open-funding-records.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 7, 17);

const products = [
  { product_id: 1, base_symbol: 'BTCUC', type: 'perpetual', product_status: 'active' },
  { product_id: 2, base_symbol: 'OLDUC', type: 'perpetual', product_status: 'expired' },
  { product_id: 3, base_symbol: 'BUS', type: 'future', product_status: 'active' },
];
const estimated = { interval_start: '2026-08-17T00:00:00Z', interval_end: '2026-08-17T08:00:00Z' };

function open() {
  const clock = createFakeClock(START);
  const state = { leads: true, circuit: 'closed' as 'closed' | 'open', used: 100 };
  const sent: unknown[] = [];
  let last: Served | null = null;
  const reader: Pick<Reader, 'read' | 'kept'> = {
    kept: () =>
      last && { ...last, outcome: 'hit', freshSeconds: 15 - (clock.now() - last.response.respondedAt) / 1_000 },
    read: ({ name, pathParameters }, { purpose, payers }) => {
      sent.push({ name, symbol: pathParameters['base_symbol'], purpose, payers });
      const body = createBody([Buffer.from(JSON.stringify(name === 'productSpecs' ? products : estimated))]);
      const response = { body, contentType: 'application/json', respondedAt: clock.now(), tag: '"t"' };
      const served = { response, outcome: 'miss', freshSeconds: 15, staleBecause: null } satisfies Served;
      if (name === 'fundingEstimated') last = served;
      return Promise.resolve(served);
    },
  };
  const profile = VENUES['sandbox'] ?? expect.fail('no profile');
  const rates = openPredictedRates({
    lease: { isHeld: () => state.leads },
    profile,
    reader: reader as Reader,
    venue: { state: () => ({ circuit: state.circuit, clockOffsetMs: 0 }) } as never,
    rateLimiter: {
      state: () => ({ limit: { requests: 200, seconds: 300, reserve: 30 }, used: state.used }),
    } as never,
    estimates: { isReadSince: () => Promise.resolve(false) } as never,
    now: clock.now,
    elapsed: clock.elapsed,
    schedule: clock.schedule,
    log: () => undefined,
  });
  rates.start();
  const read = (purpose: Purpose) =>
    rates.read(toVenueRequest(profile, 'fundingEstimated', { base_symbol: 'BTCUC' }, []), {
      purpose,
      payers: ['person a'],
      signal: new AbortController().signal,
    });
  return { clock, state, sent, read };
}

test('perpetuals that trade are read as the least urgent reads, at the cost of Perpdesk itself', async () => {
  const { clock, sent } = open();
  await clock.advance(MINUTE);
  const cause = { purpose: 'prefetch', payers: DESK_ITSELF };
  expect(sent).toEqual([
    { name: 'productSpecs', symbol: undefined, ...cause },
    { name: 'fundingEstimated', symbol: 'BTCUC', ...cause },
  ]);
});

test.each([
  ['at a desk that does not lead', { leads: false }],
  ['in an outage', { circuit: 'open' as const }],
  ['while less than half of the budget is free', { used: 101 }],
])('nothing is read %s', async (_, change) => {
  const { clock, state, sent } = open();
  Object.assign(state, change);
  await clock.advance(60 * MINUTE);
  expect(sent).toEqual([]);
  Object.assign(state, { leads: true, circuit: 'closed', used: 100 });
  await clock.advance(MINUTE);
  expect(sent).toHaveLength(2);
});

test('screens get what the plan has read, at its age, without a read of their own', async () => {
  const { clock, state, sent, read } = open();
  await clock.advance(MINUTE);
  state.used = 101;
  await clock.advance(20 * MINUTE);
  sent.splice(0);
  for (const purpose of ['prefetch', 'interactive'] as const) {
    const { response, outcome, freshSeconds } = await read(purpose);
    expect(clock.now() - response.respondedAt).toBeGreaterThan(20 * MINUTE);
    expect({ outcome, freshSeconds }).toEqual({ outcome: 'hit', freshSeconds: 15 });
  }
  expect(sent).toEqual([]);
});

test('once its interval has ended, a predicted rate is read for a person who waits for it', async () => {
  const { clock, state, sent, read } = open();
  await clock.advance(MINUTE);
  state.used = 101;
  await clock.advance(8 * 60 * MINUTE);
  sent.splice(0);
  await read('prefetch');
  expect(sent).toEqual([]);
  await read('interactive');
  expect(sent).toMatchObject([{ name: 'fundingEstimated', purpose: 'interactive' }]);
});

test('before the plan has read it, a predicted rate is read at once', async () => {
  const { sent, read } = open();
  await read('prefetch');
  expect(sent).toMatchObject([{ name: 'fundingEstimated', purpose: 'prefetch' }]);
});
