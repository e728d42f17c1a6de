import { expect, test } from 'vitest';
import { DESK_ANSWERS } from '#contract/desk.ts';
import { createParser } from '#contract/parse.ts';
import { findVenue } from '#contract/venues.ts';
import { createActivity } from './activity.ts';
import { describeStatus, type StatusParts } from './status.ts';

const { response, rows } = DESK_ANSWERS.status;
const read = (parts: StatusParts) => createParser(response, rows).strict(JSON.stringify(describeStatus(parts)));

const fresh: StatusParts = {
  profile: findVenue('bitnomial') ?? expect.fail('no such venue'),
  reader: {
    state: () => ({
      answers: 3,
      bytes: 4_096,
      kept: { answers: 1, bytes: 512 },
      asked: { hit: 5, kept: 1, joined: 2, miss: 3, stale: 0 },
      failed: 1,
    }),
  },
  venue: {
    state: () => ({
      baseUrl: 'https://exchange.example',
      clockOffsetMs: null,
      circuit: 'closed',
      lastAnswerAt: null,
      lastReads: new Map(),
      lastFailure: null,
      lastRefusal: null,
    }),
  },
  ledger: {
    state: () => ({
      limit: null,
      used: 0,
      nextBackMs: null,
      allBackMs: null,
      waiting: 0,
      byPurpose: { click: 0, working: 0, trailing: 0, estimates: 0, history: 0, prefetch: 0 },
    }),
  },
  activity: createActivity(),
  funding: { store: { list: () => [] } },
  watch: { lastSelfTest: () => null },
  startedAt: 1_787_010_321_000,
  now: () => 1_787_010_321_496,
};

test('a desk that has just started tells of nothing that has not happened', () => {
  const status = read(fresh);
  expect(status).toMatchObject({
    now: '2026-08-17T23:45:21.496Z',
    started_at: '2026-08-17T23:45:21.000Z',
    venue: { name: 'bitnomial', env: 'prod', clock_offset_ms: null, last_answer_at: null, last_failure: null },
    budget: { limit: null },
    answers: { hit: 5, failed: 1, in_memory: { answers: 3, bytes: 4_096 }, on_disk: { answers: 1, bytes: 512 } },
  });
  expect(status.endpoints.every(({ asked, last_at }) => asked === 0 && last_at === null)).toBe(true);
});

test('what happened is told with its instant and in the words of a problem document', () => {
  const activity = createActivity();
  activity.note(
    { requestId: 'r1', method: 'GET', endpoint: 'orders', status: 429, how: 'budget-spent', tookMs: 3 },
    1_787_010_321_100,
  );
  const status = read({
    ...fresh,
    activity,
    venue: {
      state: () => ({
        baseUrl: 'https://exchange.example',
        clockOffsetMs: -12.5,
        circuit: 'half-open',
        lastAnswerAt: 1_787_010_321_001,
        lastReads: new Map(),
        lastFailure: {
          at: 1_787_010_321_002,
          problem: { type: 'venue-timeout', detail: 'It did not answer within 10 s.' },
        },
        lastRefusal: {
          at: 1_787_010_320_003,
          problem: { type: 'key-refused', detail: 'The venue refuses the key.' },
        },
      }),
    },
    ledger: {
      state: () => ({
        limit: { requests: 200, seconds: 300, reserve: 30 },
        used: 7,
        nextBackMs: 4,
        allBackMs: 278_504,
        waiting: 1,
        byPurpose: { click: 1, working: 2, trailing: 3, estimates: 0, history: 1, prefetch: 0 },
      }),
    },
  });
  expect(status.venue).toMatchObject({
    clock_offset_ms: -12.5,
    circuit: 'half-open',
    last_answer_at: '2026-08-17T23:45:21.001Z',
    last_failure: { at: '2026-08-17T23:45:21.002Z', type: 'venue-timeout' },
    last_refusal: { at: '2026-08-17T23:45:20.003Z', type: 'key-refused', detail: 'The venue refuses the key.' },
  });
  expect(status.budget).toMatchObject({
    limit: { requests: 200, seconds: 300, reserve: 30 },
    used: 7,
    next_back_at: '2026-08-17T23:45:21.500Z',
    all_back_at: '2026-08-17T23:50:00.000Z',
    by_purpose: { trailing: 3 },
  });
  expect(status.endpoints.find(({ endpoint }) => endpoint === 'orders')).toEqual({
    endpoint: 'orders',
    asked: 1,
    failed: 1,
    last_at: '2026-08-17T23:45:21.100Z',
    last_status: 429,
    last_how: 'budget-spent',
    venue_at: null,
    venue_ms: null,
  });
});

test('what the venue itself last answered is told whoever asked for it, and apart from what pages were answered', () => {
  const lastReads = new Map([['ordersWorking', { at: 1_787_010_321_100, tookMs: 41.5 }]] as const);
  const row = read({ ...fresh, venue: { state: () => ({ ...fresh.venue.state(), lastReads }) } }).endpoints.find(({ endpoint }) => endpoint === 'ordersWorking');
  expect(row).toMatchObject({ asked: 0, last_at: null, venue_at: '2026-08-17T23:45:21.100Z', venue_ms: 41.5 });
});

test('the self-test is told with its time, row by row', () => {
  const rows = [
    { subject: 'clock', outcome: 'good', remark: 'At the start the venue’s clock was 0.1 s ahead of this machine’s.' },
  ] as const;
  const status = read({ ...fresh, watch: { lastSelfTest: () => ({ at: 1_787_010_321_003, rows }) } });
  expect(status.self_test).toEqual({ at: '2026-08-17T23:45:21.003Z', rows });
});
