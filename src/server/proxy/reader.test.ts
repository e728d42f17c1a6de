import { expect, test } from 'vitest';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createBody } from '#server/core/body.ts';
import {
  DESK_ITSELF,
  type VenueRequest,
  type Reader,
  type Served,
  type Venue,
  type VenueResponse,
} from '#server/core/ports.ts';
import { VenueFailure, type Problem } from '#server/core/venue-failure.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';
import { createFakeClock, type FakeClock } from '#testing/fake-clock.ts';
import { openTestStore, type TestStore } from '#testing/server-store/test-store.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { createMemoryCache, openDiskCache } from './response-cache.ts';
import { createReader } from './reader.ts';

interface Script {
  readonly reader: Reader;
  readonly clock: FakeClock;
  /** The reads of the exchange in progress, oldest first. */
  readonly reads: Read[];
  /** Waits until the caches have been searched. */
  readonly respondTo: (index: number, text: string, heldMs?: number) => Promise<void>;
  readonly fail: (index: number, problem: Problem) => Promise<void>;
  readonly readsSoFar: () => Promise<number>;
}

interface Read {
  readonly request: VenueRequest;
  readonly signal: AbortSignal;
  readonly respond: (text: string, heldMs?: number) => Promise<void>;
  readonly fail: (problem: Problem) => Promise<void>;
}

const profile = VENUES['sandbox'];
if (profile === undefined) throw new Error('There is no profile of the sandbox.');
const trailing = toVenueRequest(profile, 'trailingStatsAll', {}, []);
const working = toVenueRequest(profile, 'ordersWorking', {}, []);
const settled = toVenueRequest(profile, 'fundingRates', {}, [
  ['product_id', '5599'],
  ['begin_time', '2020-01-01T00:00:00Z'],
  ['end_time', '2020-02-01T00:00:00Z'],
]);
const printsUntil = (interval_end: string): string =>
  JSON.stringify({
    ...sampleResponses.fundingRates,
    data: [{ ...sampleResponses.fundingRates.data[0], interval_end }],
  });
const PRINTS = printsUntil('2020-02-01T00:00:00Z');
const DOWN: Problem = { type: 'venue-unreachable', detail: 'down' };

async function open(store?: TestStore, identity = '3f', clockOffsetMs = 0): Promise<Script> {
  const clock = createFakeClock();
  const reads: Read[] = [];
  const state = {
    baseUrl: '',
    clockOffsetMs,
    ignoredDate: null,
    circuit: 'closed',
    retryMs: null,
    lastResponseAt: null,
    lastReads: new Map(),
    lastFailure: null,
    lastRejection: null,
  } as const;
  const venue: Venue = {
    read: (request, { signal }) =>
      new Promise<VenueResponse>((resolve, reject) => {
        reads.push({
          request,
          signal,
          respond: (text, heldMs = 0) => {
            resolve({
              body: createBody([Buffer.from(text)]),
              contentType: 'application/json',
              respondedAt: clock.now() - heldMs,
              heldMs,
              tag: `"${String(reads.length)}"`,
            });
            return clock.advance(0);
          },
          fail: (problem) => {
            reject(new VenueFailure(problem));
            return clock.advance(0);
          },
        });
      }),
    state: () => state,
    close: () => Promise.resolve(),
  };
  const parts = {
    venue,
    memoryCache: createMemoryCache(1_000_000),
    diskCache: await openDiskCache(store ?? (await openTestStore()), 1_000_000),
    now: clock.now,
    elapsed: clock.elapsed,
    venueId: 'v',
    identity,
  };
  const readAt = async (index: number): Promise<Read> => {
    await clock.advance(0);
    return reads.at(index) ?? expect.fail(`There is no read ${String(index)}.`);
  };
  return {
    reader: createReader(parts),
    clock,
    reads,
    respondTo: async (index, text, heldMs) => (await readAt(index)).respond(text, heldMs),
    fail: async (index, problem) => (await readAt(index)).fail(problem),
    readsSoFar: async () => {
      await clock.advance(0);
      return reads.length;
    },
  };
}

function read({ reader }: Script, request = trailing, options: Partial<Parameters<Reader['read']>[1]> = {}) {
  const { signal } = new AbortController();
  return reader.read(request, { purpose: request.endpoint.purpose, payers: DESK_ITSELF, signal, ...options });
}

/** Reads what the exchange then returns. */
async function readNew(script: Script, request = trailing, text = '[1]'): Promise<Served> {
  const reading = read(script, request);
  await script.respondTo(-1, text);
  return reading;
}

test('a thousand concurrent requests make one read', async () => {
  const script = await open();
  const reading = Promise.all(Array.from({ length: 1_000 }, () => read(script)));
  expect(await script.readsSoFar()).toBe(1);
  await script.respondTo(0, '[1]');
  const served = await reading;
  expect(new Set(served.map(({ response }) => response)).size).toBe(1);
  expect(served.map(({ outcome }) => outcome).filter((outcome) => outcome === 'coalesced')).toHaveLength(999);
});

test('a response is served from memory until its freshness ends, and no longer', async () => {
  const script = await open();
  await readNew(script);
  await script.clock.advance(trailing.endpoint.reuseSeconds * 1_000 - 1);
  expect((await read(script)).outcome).toBe('hit');
  await script.clock.advance(1);
  void read(script);
  expect(await script.readsSoFar()).toBe(2);
});

test('a response from before the clock was set back is not served: its age is unknown', async () => {
  const script = await open();
  for (const request of [working, trailing]) {
    await readNew(script, request);
  }
  script.clock.correct(-3_600_000);
  for (const request of [working, trailing]) {
    const failed = expect(read(script, request)).rejects.toMatchObject({ problem: DOWN });
    await script.fail(-1, DOWN);
    await failed;
  }
});

test('a read continues while a caller is left, and is dropped when the last one leaves', async () => {
  const script = await open();
  const [one, two] = [new AbortController(), new AbortController()];
  const both = [read(script, trailing, { signal: one.signal }), read(script, trailing, { signal: two.signal })];
  expect(await script.readsSoFar()).toBe(1);
  one.abort();
  await expect(both[0]).rejects.toMatchObject({ name: 'AbortError' });
  expect(script.reads[0]?.signal.aborted).toBe(false);
  two.abort();
  await expect(both[1]).rejects.toMatchObject({ name: 'AbortError' });
  expect(script.reads[0]?.signal.aborted).toBe(true);
  void read(script);
  expect(await script.readsSoFar()).toBe(2);
});

test('an interactive read that joined a failing prefetch is repeated; another prefetch fails with it', async () => {
  const script = await open();
  const prefetch = expect(read(script, trailing, { purpose: 'prefetch' })).rejects.toMatchObject({ problem: DOWN });
  const other = expect(read(script, trailing, { purpose: 'prefetch' })).rejects.toMatchObject({ problem: DOWN });
  const interactive = [1, 2].map(() => read(script, trailing, { purpose: 'interactive' }));
  await script.fail(0, DOWN);
  await Promise.all([prefetch, other]);
  expect(await script.readsSoFar()).toBe(2);
  await script.respondTo(1, '[2]');
  expect((await Promise.all(interactive)).map(({ response }) => response.body.toString())).toEqual(['[2]', '[2]']);
});

test('a public response is served stale with the reason when the exchange fails; a private one is not', async () => {
  for (const [request, expected] of [
    [trailing, 'stale'],
    [working, 'venue-unreachable'],
  ] as const) {
    const script = await open();
    await readNew(script, request);
    await script.clock.advance(60_000);
    const second = read(script, request).then(
      ({ outcome, staleBecause }) => [outcome, staleBecause?.type],
      (error: unknown) => (error instanceof VenueFailure ? [error.problem.type] : []),
    );
    await script.fail(1, DOWN);
    expect((await second)[0]).toBe(expected);
  }
});

test('a response is not served stale after a day', async () => {
  const script = await open();
  await readNew(script);
  await script.clock.advance(25 * 3_600_000);
  const second = read(script);
  const failed = expect(second).rejects.toMatchObject({ problem: DOWN });
  await script.fail(1, DOWN);
  await failed;
});

test('a rejection does not replace the last response, which is served stale when the exchange fails', async () => {
  const script = await open();
  await readNew(script);
  await script.clock.advance(20_000);
  const refused = expect(read(script)).rejects.toMatchObject({ problem: { type: 'not-found' } });
  await script.fail(1, { type: 'not-found', detail: 'not here' });
  await refused;
  await script.clock.advance(70_000);
  const failed = read(script);
  await script.fail(2, DOWN);
  expect([await failed, script.reader.state().causes]).toMatchObject([
    { outcome: 'stale', staleBecause: DOWN },
    { venue: { stale: 1, failed: 1 }, budget: { stale: 0, failed: 0 } },
  ]);
});

test('a response that an intermediate cache held too long is fresh from its arrival on', async () => {
  const script = await open();
  const first = read(script);
  await script.respondTo(0, '[1]', 600_000);
  expect(await first).toMatchObject({ freshSeconds: 10 });
  await script.clock.advance(9_999);
  expect(await read(script)).toMatchObject({ outcome: 'hit' });
  await script.clock.advance(1);
  void read(script);
  expect(await script.readsSoFar()).toBe(2);
});

test('a lasting rejection is cached', async () => {
  const script = await open();
  const problem: Problem = { type: 'too-many-working-orders', detail: 'many' };
  const first = expect(read(script, working)).rejects.toMatchObject({ problem });
  await script.fail(0, problem);
  await first;
  await expect(read(script, working)).rejects.toMatchObject({ problem });
  expect(await script.readsSoFar()).toBe(1);
});

async function failOnce(script: Script, problem: Problem, request = trailing): Promise<void> {
  const failed = read(script, request).catch(() => undefined);
  await script.fail(-1, problem);
  await failed;
}

test.each(['venue-unreachable', 'clock-skew', 'key-refused'] as const)(
  'a failure (%s) is not repeated upstream for a while',
  async (type) => {
    const script = await open();
    await failOnce(script, { type, detail: 'no' });
    for (let second = 1; second < 10; second++) {
      await script.clock.advance(1_000);
      await expect(read(script)).rejects.toMatchObject({ problem: { type, detail: 'no' } });
    }
    expect(await script.readsSoFar()).toBe(1);
    await script.clock.advance(1_000);
    void read(script);
    expect(await script.readsSoFar()).toBe(2);
  },
);

test('while a failure is remembered, a stale response is served with the reason', async () => {
  const script = await open();
  await readNew(script);
  await script.clock.advance(60_000);
  await failOnce(script, DOWN);
  expect(await read(script)).toMatchObject({ outcome: 'stale', staleBecause: DOWN });
  expect(await script.readsSoFar()).toBe(2);
});

test('a more urgent read retries a failure at once, and its success ends it', async () => {
  const script = await open();
  await failOnce(script, DOWN);
  const interactive = read(script, trailing, { purpose: 'interactive' });
  const joining = read(script);
  await script.respondTo(1, '[1]');
  expect([(await interactive).outcome, (await joining).outcome]).toEqual(['miss', 'coalesced']);
  script.clock.correct(-60_000);
  void read(script);
  expect(await script.readsSoFar()).toBe(3);
});

test('a failure with a retry time is retried then; a spent budget is checked each time', async () => {
  const script = await open();
  await failOnce(script, { ...DOWN, retryAfterSeconds: 2 });
  await script.clock.advance(2_000);
  await failOnce(script, { type: 'budget-spent', detail: 'spent', retryAfterSeconds: 100 });
  expect(await script.readsSoFar()).toBe(2);
  void read(script);
  expect(await script.readsSoFar()).toBe(3);
});

test('a failure with a retry time lasts until then, for interactive reads too, with the time counted down', async () => {
  const script = await open();
  await failOnce(script, { ...DOWN, retryAfterSeconds: 120 });
  await script.clock.advance(50_000);
  await expect(read(script)).rejects.toMatchObject({ problem: { ...DOWN, retryAfterSeconds: 70 } });
  await script.clock.advance(69_999);
  const interactive = read(script, trailing, { purpose: 'interactive' });
  await expect(interactive).rejects.toMatchObject({ problem: { ...DOWN, retryAfterSeconds: 1 } });
  expect(await script.readsSoFar()).toBe(1);
  await script.clock.advance(1);
  void read(script);
  expect(await script.readsSoFar()).toBe(2);
});

test('a refresh bypasses a cached rejection, and its response replaces it', async () => {
  const script = await open();
  const refused = expect(read(script, working)).rejects.toMatchObject({ problem: { type: 'too-many-working-orders' } });
  await script.fail(0, { type: 'too-many-working-orders', detail: '' });
  await refused;
  const again = read(script, working, { purpose: 'working', refresh: true });
  await script.respondTo(1, '[1]');
  expect((await again).outcome).toBe('miss');
  expect((await read(script, working)).outcome).toBe('hit');
  expect(await script.readsSoFar()).toBe(2);
});

test('a rejection is cached for a minute at most, however long a response is fresh', async () => {
  const script = await open();
  const specs = toVenueRequest(profile, 'productSpecs', {}, []);
  expect(specs.endpoint.reuseSeconds).toBe(3_600);
  const refused = expect(read(script, specs)).rejects.toMatchObject({ problem: { type: 'not-found' } });
  await script.fail(0, { type: 'not-found', detail: 'nothing' });
  await refused;
  await script.clock.advance(59_999);
  await expect(read(script, specs)).rejects.toMatchObject({ problem: { type: 'not-found' } });
  expect(await script.readsSoFar()).toBe(1);
  await script.clock.advance(1);
  const again = read(script, specs);
  await script.respondTo(1, '[]');
  expect((await again).outcome).toBe('miss');
});

test('a settled response is read once and survives a restart; nothing private is on disk', async () => {
  const disk = await openTestStore();
  const before = await open(disk);
  for (const request of [settled, working]) {
    await readNew(before, request, PRINTS);
  }
  const after = await open(disk, 'other');
  expect((await read(after, settled)).outcome).toBe('disk-hit');
  expect((await read(after, settled)).response.body.toString()).toBe(PRINTS);
  void read(after, working);
  await after.readsSoFar();
  expect(after.reads.map(({ request }) => request.name)).toEqual(['ordersWorking']);
});

test('a response is served even if it cannot be stored on disk', async () => {
  const disk = await openTestStore();
  const script = await open(disk);
  await disk.stopWrites();
  expect((await readNew(script, settled, PRINTS)).response.body.toString()).toBe(PRINTS);
  expect((await read(script, settled)).outcome).toBe('disk-hit');
});

test('a failed write is no failure of the exchange, and is retried at once', async () => {
  const script = await open();
  await failOnce(script, { type: 'desk-cannot-write', detail: 'full' });
  void read(script);
  expect(await script.readsSoFar()).toBe(2);
});

test('equal bodies share bytes and tag; different bodies have different tags', async () => {
  const script = await open();
  const served = [];
  for (const text of ['[1]', '[1]', '[2]']) {
    const reading = read(script);
    await script.respondTo(-1, text);
    served.push((await reading).response);
    await script.clock.advance(60_000);
  }
  const [first, again, other] = served;
  expect(again?.body).toBe(first?.body);
  expect(again?.tag).toBe(first?.tag);
  expect(again?.respondedAt).toBeGreaterThan(first?.respondedAt ?? 0);
  expect(other?.tag).not.toBe(first?.tag);
});

test('a settled response is in memory after it was first read from disk', async () => {
  const disk = await openTestStore();
  const before = await open(disk);
  await readNew(before, settled, PRINTS);
  const after = await open(disk);
  await read(after, settled);
  expect(after.reader.state().responses).toBe(1);
  await after.clock.advance(3_600_000);
  expect((await read(after, settled)).outcome).toBe('disk-hit');
});

test.each(['[{"message":"maintenance"}]', '{"data":[{"product_id":"none"}],"pagination":{"cursor":null}}', '{}'])(
  'a response that does not match its schema is not settled: %s',
  async (text) => {
    const script = await open();
    await readNew(script, settled, text);
    expect(script.reader.state().onDisk.responses).toBe(0);
    await script.clock.advance(settled.endpoint.reuseSeconds * 1_000);
    expect((await readNew(script, settled, PRINTS)).outcome).toBe('miss');
    expect(script.reader.state().onDisk.responses).toBe(1);
  },
);

test('an empty response is read again, even if an earlier version stored it', async () => {
  const disk = await openTestStore();
  const nothing = '{"data":[],"pagination":{"cursor":null}}';
  const stored = {
    body: createBody([Buffer.from(nothing)]),
    contentType: 'application/json',
    respondedAt: 1_600_000_000_000,
    tag: '"e"',
  };
  await (await openDiskCache(disk, 1_000_000)).put(`v ${settled.target}`, stored);
  const script = await open(disk);
  expect((await readNew(script, settled, nothing)).outcome).toBe('miss');
  await script.clock.advance(settled.endpoint.reuseSeconds * 1_000);
  expect((await readNew(script, settled, PRINTS)).response.body.toString()).toBe(PRINTS);
  expect((await read(script, settled)).outcome).toBe('disk-hit');
});

test.each([
  ['two hours ago by ours, in the future by the exchange’s', -3, -2, 0],
  ['in an hour by ours, two hours ago by the exchange’s', 3, 1, 1],
])('a range ends by the exchange’s clock: %s', async (_, offsetHours, endsInHours, stored) => {
  const hour = 3_600_000;
  const script = await open(undefined, undefined, offsetHours * hour);
  const end = new Date(script.clock.now() + endsInHours * hour).toISOString();
  const first = read(
    script,
    toVenueRequest(profile, 'fundingRates', {}, [
      ['product_id', '5599'],
      ['begin_time', '2020-01-01T00:00:00Z'],
      ['end_time', end],
    ]),
  );
  await script.respondTo(-1, printsUntil(end));
  await first;
  expect(script.reader.state().onDisk.responses).toBe(stored);
});

test('a range that ended recently is not settled', async () => {
  const script = await open();
  const end = new Date(script.clock.now() - 1_000).toISOString();
  const recent = toVenueRequest(profile, 'fundingRates', {}, [
    ['product_id', '5599'],
    ['begin_time', '2020-01-01T00:00:00Z'],
    ['end_time', end],
  ]);
  await readNew(script, recent, printsUntil(end));
  expect(script.reader.state().onDisk.responses).toBe(0);
});

test.each([
  ['venue-unreachable', false],
  ['venue-timeout', true],
] as const)(
  'once the exchange responds to something else, a failure (%s) is remembered only if the exchange was reachable',
  async (type, isRemembered) => {
    const script = await open();
    await failOnce(script, { type, detail: 'no' }, working);
    await readNew(script);
    void read(script, working).catch(() => undefined);
    expect(await script.readsSoFar()).toBe(isRemembered ? 2 : 3);
  },
);

test('a spent budget is counted apart from failures of the exchange, each with its first and last time', async () => {
  const script = await open();
  await readNew(script);
  const start = script.clock.now();
  await failOnce(script, { type: 'venue-timeout', detail: 'It did not respond.' }, working);
  for (const problem of [{ type: 'budget-spent', detail: 'Wait.' } as const, DOWN]) {
    await script.clock.advance(60_000);
    const stale = read(script);
    await script.fail(-1, problem);
    expect((await stale).outcome).toBe('stale');
  }
  expect(script.reader.state().causes).toEqual({
    venue: { stale: 1, failed: 1, firstAt: start, lastAt: start + 120_000 },
    budget: { stale: 1, failed: 0, firstAt: start + 60_000, lastAt: start + 60_000 },
  });
});

test('what another desk has read is served while it is fresh, and never instead of something newer', async () => {
  const { reader, clock, readsSoFar } = await open();
  const offer = (text: string, respondedAt: number): void => {
    const body = createBody([Buffer.from(text)]);
    reader.offer(trailing, { body, contentType: 'application/json', respondedAt, tag: `"${text}"` });
  };
  offer('[2]', clock.now());
  offer('[1]', clock.now() - 1_000);
  const options = { purpose: 'interactive', payers: DESK_ITSELF, signal: new AbortController().signal } as const;
  const served = await reader.read(trailing, options);
  expect([served.outcome, served.response.body.toString(), await readsSoFar()]).toEqual(['hit', '[2]', 0]);
});
