import { expect, test } from 'vitest';
import { DESK_ENDPOINTS } from '#contract/desk/desk.ts';
import { createParser } from '#contract/parse/parse.ts';
import { findVenue, VENUES } from '#contract/exchange/addresses.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { LOCAL_VIEWER, type Viewer } from '#server/core/viewer.ts';
import type { Member } from '#server/store/join-desks.ts';
import { createActivity } from './metrics.ts';
import { describeStatus, type StatusDeps } from './status.ts';

const { response, rows } = DESK_ENDPOINTS.status;
const read = async (deps: StatusDeps, viewer: Pick<Viewer, 'roles' | 'payer'> = LOCAL_VIEWER) =>
  createParser(response, rows).strict(JSON.stringify(await describeStatus(deps, viewer)));

const ONE: Member = {
  id: 'id of one',
  name: 'one',
  version: '1.2.3',
  schema: 1,
  startedAt: 1_787_010_321_000,
  secrets: [],
  activity: { leads: true, streams: 3 },
};

const fresh: StatusDeps = {
  journal: {
    refresh: () => Promise.resolve(),
    state: () => ({ from: null, lastReading: null, changes: 0, bytes: 0, maxBytes: 5_000_000_000 }),
  },
  live: () => ({ streams: 0, topics: [] }),
  profile: findVenue('bitnomial') ?? expect.fail('no such venue'),
  reader: {
    state: () => ({
      responses: 3,
      bytes: 4_096,
      onDisk: { responses: 1, bytes: 512 },
      outcomes: { 'hit': 5, 'disk-hit': 1, 'coalesced': 2, 'miss': 3, 'stale': 0 },
      failed: 1,
      causes: {
        venue: { stale: 0, failed: 1, firstAt: 1_787_010_321_200, lastAt: 1_787_010_321_200 },
        budget: { stale: 0, failed: 0, firstAt: null, lastAt: null },
      },
    }),
  },
  venue: {
    state: () => ({
      baseUrl: 'https://exchange.example',
      clockOffsetMs: null,
      ignoredDate: null,
      circuit: 'closed',
      retryMs: null,
      lastResponseAt: null,
      lastReads: new Map(),
      lastFailure: null,
      lastRejection: null,
    }),
  },
  rateLimiter: {
    state: () => ({
      limit: null,
      used: 0,
      nextFreeMs: null,
      allFreeMs: null,
      waiting: 0,
      byPurpose: { interactive: 0, working: 0, trailing: 0, estimates: 0, history: 0, prefetch: 0 },
    }),
  },
  activity: createActivity(),
  store: {
    isShared: false,
    state: () => ({ kind: 'SQLite', place: 'data/gateway.sqlite', failedWrites: 0, lastFailure: null }),
  },
  members: { own: ONE, alive: () => [ONE] },
  funding: { store: { list: () => Promise.resolve([]) } },
  healthProbe: { lastSelfTest: () => null },
  startedAt: 1_787_010_321_000,
  version: '1.2.3',
  now: () => 1_787_010_321_496,
};

test('after startup the status reports nothing that has not happened', async () => {
  const status = await read(fresh);
  expect(status).toMatchObject({
    now: '2026-08-17T23:45:21.496Z',
    started_at: '2026-08-17T23:45:21.000Z',
    version: '1.2.3',
    venue: { name: 'bitnomial', env: 'prod', clock_offset_ms: null, last_answer_at: null, last_failure: null },
    budget: { limit: null },
    answers: {
      hit: 5,
      disk_hit: 1,
      coalesced: 2,
      miss: 3,
      stale: 0,
      failed: 1,
      causes: { venue: { failed: 1, first_at: '2026-08-17T23:45:21.200Z' }, budget: { failed: 0, first_at: null } },
      in_memory: { answers: 3, bytes: 4_096 },
      on_disk: { answers: 1, bytes: 512 },
    },
  });
  expect(status.endpoints.every(({ asked, last_at }) => asked === 0 && last_at === null)).toBe(true);
});

test('the embedded exchange is called a simulated one', async () => {
  const profile = VENUES['sandbox'] ?? expect.fail('There is no profile of the sandbox.');
  expect((await read({ ...fresh, profile })).venue).toMatchObject({ name: 'sandbox', env: 'simulated' });
});

test('events have their instant and the text of a problem document', async () => {
  const activity = createActivity();
  activity.record(
    { requestId: 'r1', method: 'GET', endpoint: 'orders', status: 429, outcome: 'budget-spent', tookMs: 3 },
    1_787_010_321_100,
  );
  const status = await read({
    ...fresh,
    activity,
    venue: {
      state: () => ({
        baseUrl: 'https://exchange.example',
        clockOffsetMs: -12.5,
        ignoredDate: 'tomorrow',
        circuit: 'half-open',
        retryMs: 1_500,
        lastResponseAt: 1_787_010_321_001,
        lastReads: new Map(),
        lastFailure: {
          at: 1_787_010_321_002,
          problem: { type: 'venue-timeout', detail: 'It did not answer within 10 s.' },
        },
        lastRejection: {
          at: 1_787_010_320_003,
          problem: { type: 'key-refused', detail: 'The exchange rejects the key.' },
        },
      }),
    },
    rateLimiter: {
      state: () => ({
        limit: { requests: 200, seconds: 300, reserve: 30 },
        used: 7,
        nextFreeMs: 4,
        allFreeMs: 278_504,
        waiting: 1,
        byPurpose: { interactive: 1, working: 2, trailing: 3, estimates: 0, history: 1, prefetch: 0 },
      }),
    },
  });
  expect(status.venue).toMatchObject({
    clock_offset_ms: -12.5,
    ignored_date: 'tomorrow',
    circuit: 'half-open',
    retry_at: '2026-08-17T23:45:22.996Z',
    last_answer_at: '2026-08-17T23:45:21.001Z',
    last_failure: { at: '2026-08-17T23:45:21.002Z', type: 'venue-timeout' },
    last_refusal: { at: '2026-08-17T23:45:20.003Z', type: 'key-refused', detail: 'The exchange rejects the key.' },
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
    over_budget: 1,
    last_at: '2026-08-17T23:45:21.100Z',
    last_status: 429,
    last_how: 'budget-spent',
    venue_at: null,
    venue_ms: null,
  });
});

test('the last read of the exchange is reported whoever requested it, apart from the requests of pages', async () => {
  const lastReads = new Map([['ordersWorking', { at: 1_787_010_321_100, tookMs: 41.5 }]] as const);
  const row = (
    await read({ ...fresh, venue: { state: () => ({ ...fresh.venue.state(), lastReads }) } })
  ).endpoints.find(({ endpoint }) => endpoint === 'ordersWorking');
  expect(row).toMatchObject({ asked: 0, last_at: null, venue_at: '2026-08-17T23:45:21.100Z', venue_ms: 41.5 });
});

test('the self-test is reported with its time, row by row', async () => {
  const rows = [
    { subject: 'clock', outcome: 'good', remark: 'At startup the exchange’s clock was 0.1 s ahead of this machine’s.' },
  ] as const;
  const status = await read({ ...fresh, healthProbe: { lastSelfTest: () => ({ at: 1_787_010_321_003, rows }) } });
  expect(status.self_test).toEqual({ at: '2026-08-17T23:45:21.003Z', rows });
});

test('the journal is reported with what it covers', async () => {
  const lastReading = { from: 1_787_010_321_000, to: 1_787_010_321_003, isComplete: true, isAfterGap: false };
  const state = { from: 1_787_010_000_000, lastReading, changes: 12, bytes: 3_456, maxBytes: 5_000_000_000 };
  expect((await read({ ...fresh, journal: { refresh: () => Promise.resolve(), state: () => state } })).journal).toEqual(
    {
      kept_from: '2026-08-17T23:40:00.000Z',
      read_to: '2026-08-17T23:45:21.003Z',
      changes: 12,
      bytes: 3_456,
      max_bytes: 5_000_000_000,
    },
  );
});

test('the plan of what is pushed is there', async () => {
  const topic = {
    address: 'working-orders',
    followers: 12,
    watchedEvery: 30,
    everySeconds: 7.512,
    leastSeconds: 5,
    cost: 1,
    readAt: 1_700_000_000_000,
  };
  expect(
    (await read({ ...fresh, live: () => ({ streams: 12, topics: [topic, { ...topic, cost: null, readAt: null }] }) }))
      .live,
  ).toEqual({
    streams: 12,
    topics: [
      {
        topic: 'working-orders',
        followers: 12,
        every_seconds: 7.5,
        least_seconds: 5,
        watched_seconds: 30,
        requests: 1,
        read_at: '2023-11-14T22:13:20.000Z',
      },
      expect.objectContaining({ requests: null, read_at: null }),
    ],
  });
});

test('the store is reported with its last failure, and rates that cannot be read from it are not none', async () => {
  const problem = { type: 'desk-cannot-read', detail: 'The store postgres://desk@db/desk does not respond.' } as const;
  const status = await read({
    ...fresh,
    store: {
      isShared: true,
      state: () => ({
        kind: 'PostgreSQL',
        place: 'postgres://desk@db/desk',
        failedWrites: 2,
        lastFailure: { at: 1_787_010_321_003, problem },
      }),
    },
    funding: { store: { list: () => Promise.reject(new VenueFailure(problem)) } },
  });
  expect(status.store).toEqual({
    kind: 'PostgreSQL',
    place: 'postgres://desk@db/desk',
    failed_writes: 2,
    last_failure: { at: '2026-08-17T23:45:21.003Z', ...problem },
  });
  expect(status.funding).toBeNull();
});

test('without the role admin, the status says nothing of private endpoints, and no failure in words', async () => {
  const failure = { at: 1_787_010_321_003, problem: { type: 'key-refused', detail: 'secret' } } as const;
  const activity = createActivity();
  for (const endpoint of ['orders', 'ordersWorking', 'chartVoi'])
    activity.record(
      { requestId: '', method: 'GET', endpoint, status: 200, outcome: 'hit', tookMs: 1 },
      1_787_010_321_003,
    );
  const topic = { followers: 1, watchedEvery: 30, everySeconds: 5, leastSeconds: 5, cost: 1, readAt: null };
  const subjects = ['clock', '/exchange/rest/orders/working', '/exchange/rest/orders', '/exchange/web/charts/voi'];
  const known = {
    baseSymbol: 'BTCUC',
    productId: 5614,
    prints: 3,
    leftOut: 0,
    reads: 7,
    lastReadAt: 1_787_010_321_003,
    revised: null,
  };
  const revised = { endAt: '2026-08-17T16:00:00.000000000Z', text: '{"funding_rate":0.0002}' };
  const parts: StatusDeps = {
    ...fresh,
    activity,
    venue: { state: () => ({ ...fresh.venue.state(), lastFailure: failure, lastRejection: failure }) },
    store: {
      isShared: true,
      state: () => ({ kind: 'SQLite', place: 'secret', failedWrites: 1, lastFailure: failure }),
    },
    journal: {
      refresh: () => Promise.resolve(),
      state: () => ({ from: 1_787_010_321_003, lastReading: null, changes: 7, bytes: 7, maxBytes: 9 }),
    },
    live: (payer) =>
      payer === null
        ? {
            streams: 2,
            topics: ['working-orders?account_id=a-x', 'alerts', 'volume'].map((address) => ({ ...topic, address })),
          }
        : { streams: 1, topics: payer === 'person mia' ? [{ ...topic, address: 'volume' }] : [] },
    funding: { store: { list: () => Promise.resolve([known, { ...known, baseSymbol: 'REVISED', revised }]) } },
    healthProbe: {
      lastSelfTest: () => ({
        at: 1_787_010_321_003,
        rows: subjects.map((subject) => ({ subject, outcome: 'good', remark: 'It works.' })),
      }),
    },
  };
  const ofMarkets = await read(parts, { roles: new Set(['markets']), payer: 'person mia' });
  expect(JSON.stringify(ofMarkets)).not.toMatch(/secret|orders|alerts/i);
  expect(ofMarkets).toMatchObject({
    budget: { by_purpose: null },
    answers: null,
    endpoints: [],
    // Which rates others have looked at is theirs; that a rate was revised is marked on every screen.
    funding: [{ base_symbol: 'REVISED', prints: null, reads: null, last_read_at: null, revised: { before: 0.0002 } }],
    journal: { kept_from: null, changes: null, bytes: null },
    live: { streams: 1, topics: [{ topic: 'volume' }] },
    self_test: { rows: [{ subject: 'clock' }, { subject: '/exchange/web/charts/voi' }] },
  });
  expect((await read(parts, { roles: new Set(['markets', 'orders']), payer: 'person mia' })).journal).toMatchObject({
    kept_from: '2026-08-17T23:45:21.003Z',
    changes: null,
  });
  expect((await read(parts)).live.topics).toHaveLength(3);
});

test('without the role admin, the budget is shown in tenths and minutes, so that no single request of others shows in it', async () => {
  const budgetOf = async (used: number, viewer?: Pick<Viewer, 'roles' | 'payer'>) =>
    (
      await read(
        {
          ...fresh,
          rateLimiter: {
            state: () => ({
              ...fresh.rateLimiter.state(),
              limit: { requests: 200, seconds: 300, reserve: 30 },
              used,
              nextFreeMs: 4_000,
              allFreeMs: 278_504,
              waiting: 3,
            }),
          },
        },
        viewer,
      )
    ).budget;
  const mia = { roles: new Set(['markets'] as const), payer: 'person mia' } as const;
  expect(await budgetOf(7)).toMatchObject({ used: 7, waiting: 3, next_back_at: '2026-08-17T23:45:25.496Z' });
  expect(await budgetOf(7, mia)).toMatchObject({
    used: 20,
    waiting: 20,
    next_back_at: '2026-08-17T23:46:00.000Z',
    all_back_at: '2026-08-17T23:50:00.000Z',
  });
  const usedBy = await Promise.all([0, 1, 20, 21, 199, 200].map(async (used) => (await budgetOf(used, mia)).used));
  // Only a budget that is spent is shown as spent.
  expect(usedBy).toEqual([0, 20, 20, 40, 199, 200]);
});

test('administrators see the desks that share the database, and which of them responds', async () => {
  const two = { ...ONE, id: 'id of two', name: 'two', activity: { leads: false, streams: 0 } };
  const parts = { ...fresh, store: { ...fresh.store, isShared: true }, members: { own: two, alive: () => [ONE, two] } };
  const desk = { version: '1.2.3', started_at: '2026-08-17T23:45:21.000Z' };
  expect((await read(parts)).desks).toEqual([
    { ...desk, name: 'one', leads: true, is_this: false, streams: 3 },
    { ...desk, name: 'two', leads: false, is_this: true, streams: 0 },
  ]);
  expect((await read(fresh)).desks).toBeNull();
});
