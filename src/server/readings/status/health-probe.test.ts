import { expect, test } from 'vitest';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createBody } from '#server/core/body.ts';
import type { Reader, VenueState } from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { toPublicRequest } from '#server/core/venue-request.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { createHealthProbe, describeUnready } from './health-probe.ts';

const down = () => Promise.reject(new VenueFailure({ type: 'venue-unreachable', detail: 'down' }));
const mistaken = () => Promise.reject(new TypeError('mistake'));

/** A health probe with a scripted reader; unless specified, the exchange has not responded yet. */
function open(
  ignoredDate: string | null = null,
  clockOffsetMs: number | null = null,
  record: Partial<VenueState> = {},
) {
  const profile = VENUES['sandbox'];
  if (profile === undefined) throw new Error('There is no profile of the sandbox.');
  const clock = createFakeClock();
  const errors: unknown[] = [];
  const script = { does: down as Reader['read'], reads: 0, refreshes: 0 };
  const reader: Reader = {
    read: (request, options) => {
      script.reads += 1;
      if (options.refresh === true) script.refreshes += 1;
      return script.does(request, options);
    },
    kept: () => expect.fail('must not be called'),
    offer: () => expect.fail('must not be called'),
    state: () => expect.fail('must not be called'),
    close: () => Promise.resolve(),
  };
  const probe = createHealthProbe({
    profile,
    reader,
    request: toPublicRequest(profile),
    venue: () => ({
      baseUrl: '',
      clockOffsetMs,
      ignoredDate,
      circuit: 'closed',
      retryMs: null,
      lastResponseAt: null,
      lastReads: new Map(),
      lastFailure: null,
      lastRejection: null,
      ...record,
    }),
    schedule: clock.schedule,
    now: clock.now,
    log: (level, event, fields) => {
      if (level === 'error') errors.push([event, fields]);
    },
  });
  return { probe, clock, script, errors };
}

test('a self-test that fails by a bug is logged and repeated', async () => {
  const { probe, clock, script, errors } = open();
  script.does = mistaken;
  probe.start();
  await clock.advance(0);
  expect(probe.lastSelfTest()).toBeNull();
  expect(errors).toEqual([['health probe failed', { reason: 'TypeError: mistake' }]]);
  script.does = down;
  await clock.advance(20_000);
  expect(probe.lastSelfTest()?.rows.every(({ outcome }) => outcome !== 'good')).toBe(true);
});

test('an ignored date of the exchange is a finding of the self-test, in plain characters', async () => {
  const { probe, clock } = open('1 Jan\u20281970');
  probe.start();
  await clock.advance(0);
  const remark =
    'The exchange sends the date “1 Jan 1970”, which is not a valid HTTP date between 2000 and 2099, so Perpdesk ignores it. Check this machine’s clock.';
  expect(probe.lastSelfTest()?.rows[0]).toEqual({ subject: 'clock', outcome: 'drift', remark });
});

test('a bug during an outage does not stop the probing', async () => {
  const { probe, clock, script } = open();
  probe.start();
  await clock.advance(0);
  script.does = mistaken;
  await clock.advance(10_000);
  script.does = down;
  const reads = script.reads;
  await clock.advance(40_000);
  expect(script.reads - reads).toBe(3);
});

test('where a read fails and no other succeeds, it finds out whether the exchange still responds, past its own cache', async () => {
  const problem = { type: 'venue-timeout', detail: 'late' } as const;
  const at = createFakeClock().now();
  for (const [lastFailure, probes] of [
    [null, 0],
    [{ at, problem }, 0],
    [{ at: at + 1, problem }, 3],
  ] as const) {
    const other = open(null, null, { lastResponseAt: at, lastFailure });
    other.probe.start();
    await other.clock.advance(0);
    await other.clock.advance(10_000);
    expect(other.script.refreshes).toBe(0);
    await other.clock.advance(30_000);
    expect(other.script.refreshes).toBe(probes);
    other.probe.close();
  }
});

test('each consecutive bug doubles the pause, up to five minutes', async () => {
  const { probe, clock, script } = open();
  script.does = mistaken;
  probe.start();
  await clock.advance(0);
  await clock.advance(1_200_000);
  expect(script.reads).toBe(8);
});

test('after closing it reads nothing more, however the read in flight ends', async () => {
  for (const does of [mistaken, down]) {
    const { probe, clock, script, errors } = open();
    script.does = does;
    probe.start();
    probe.close();
    await clock.advance(60_000);
    expect({ errors, timers: clock.timers() }).toEqual({ errors: [], timers: 0 });
  }
});

test('rows that do not answer the request are a finding of the self-test', async () => {
  const { probe, clock, script } = open(null, 0);
  const orderAt = (ms: number) => ({
    ...sampleResponses.ordersWorking[0],
    time: new Date(ms).toISOString(),
    last_modified: new Date(ms).toISOString(),
  });
  script.does = (request) => {
    if (request.name !== 'ordersWorking') return down();
    const body = createBody([
      Buffer.from(
        JSON.stringify([
          orderAt(clock.now()),
          { ...orderAt(clock.now()), status: 'Closed' },
          orderAt(clock.now() + 90_000),
        ]),
      ),
    ]);
    return Promise.resolve({
      response: { body, contentType: 'application/json', respondedAt: clock.now(), tag: '"x"' },
      outcome: 'miss',
      freshSeconds: 4,
      staleBecause: null,
    });
  };
  probe.start();
  await clock.advance(0);
  expect(probe.lastSelfTest()?.rows.find(({ subject }) => subject.endsWith('/orders/working'))).toMatchObject({
    outcome: 'failed',
    remark: 'The response does not match the API: not requested at $[].status; in the future at $[].time.',
  });
});

test('why the exchange cannot be read is for administrators only', () => {
  const failed = {
    at: 0,
    problem: { type: 'venue-fault', detail: 'The exchange responded to orders with status 500: NORD-105' },
  } as const;
  const venue = { lastResponseAt: 1, circuit: 'open', lastFailure: failed } as const;
  expect(
    [new Set(['admin'] as const), new Set(['operations'] as const), new Set<never>()].map((roles) =>
      describeUnready(venue, null, { roles }),
    ),
  ).toEqual([
    'The exchange responded to orders with status 500: NORD-105',
    'Perpdesk cannot read the exchange.',
    'Perpdesk cannot read the exchange.',
  ]);
  expect(
    describeUnready({ ...venue, lastFailure: null, lastResponseAt: null, circuit: 'closed' }, null, {
      roles: new Set(),
    }),
  ).toBe('no response from the exchange yet');
  expect(describeUnready({ ...venue, circuit: 'closed' }, null, { roles: new Set() })).toBeNull();
  expect(describeUnready(venue, 'The store is full.', { roles: new Set() })).toBe('The store is full.');
});
