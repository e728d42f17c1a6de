import { expect, test } from 'vitest';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createBody } from '#server/core/body.ts';
import { DESK_ITSELF, type Reader, type Served } from '#server/core/ports.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { openPredictedRateReads } from './open-funding-records.ts';

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
  const reader: Pick<Reader, 'read'> = {
    read: ({ name, pathParameters }, { purpose, payers }) => {
      sent.push({ name, symbol: pathParameters['base_symbol'], purpose, payers });
      const body = createBody([Buffer.from(JSON.stringify(name === 'productSpecs' ? products : estimated))]);
      const response = { body, contentType: 'application/json', respondedAt: clock.now(), tag: '"t"' };
      return Promise.resolve({ response, outcome: 'miss', freshSeconds: 15, staleBecause: null } satisfies Served);
    },
  };
  const profile = VENUES['sandbox'] ?? expect.fail('no profile');
  openPredictedRateReads({
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
  }).start();
  return { clock, state, sent };
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
