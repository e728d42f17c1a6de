import { expect, test } from 'vitest';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createBody } from '#server/core/body.ts';
import { DESK_ITSELF, type Venue, type VenueResponse } from '#server/core/ports.ts';
import { toVenueRequest } from '#server/core/venue-request.ts';
import { createFakeClock } from '#testing/fake-clock.ts';
import { createMemoryCache, type DiskCache } from './response-cache.ts';
import { createReader } from './reader.ts';

const DISK_MS = 5;
const profile = VENUES['sandbox'] ?? expect.fail('There is no profile of the sandbox.');
const settled = toVenueRequest(profile, 'fundingRates', {}, [
  ['product_id', '5599'],
  ['begin_time', '2020-01-01T00:00:00Z'],
  ['end_time', '2020-02-01T00:00:00Z'],
]);
const trailing = toVenueRequest(profile, 'trailingStatsAll', {}, []);

/** A reader whose disk takes a while to find nothing, like a database in another process. */
function open() {
  const clock = createFakeClock();
  const reads: string[] = [];
  const response: VenueResponse = {
    body: createBody([Buffer.from('[]')]),
    contentType: 'application/json',
    respondedAt: clock.now(),
    tag: '"t"',
  };
  const state = {
    baseUrl: '',
    clockOffsetMs: 0,
    ignoredDate: null,
    circuit: 'closed',
    retryMs: null,
    lastResponseAt: null,
    lastReads: new Map(),
    lastFailure: null,
    lastRejection: null,
  } as const;
  const venue: Venue = {
    read: ({ name }) => {
      reads.push(name);
      return Promise.resolve(response);
    },
    state: () => state,
    close: () => Promise.resolve(),
  };
  const diskCache: DiskCache = {
    find: () =>
      new Promise((resolve) =>
        clock.schedule(DISK_MS, () => {
          resolve(undefined);
        }),
      ),
    put: () => Promise.resolve(),
    size: () => ({ responses: 0, bytes: 0 }),
  };
  const reader = createReader({
    venue,
    memoryCache: createMemoryCache(1_000_000),
    diskCache,
    now: clock.now,
    elapsed: clock.elapsed,
    venueId: 'v',
    identity: '3f',
  });
  return {
    clock,
    reads,
    read: (request = settled, signal = new AbortController().signal) =>
      reader.read(request, { purpose: 'history', payers: DESK_ITSELF, signal }),
  };
}

test('callers whose response is still looked for on disk share one read of the exchange', async () => {
  const { clock, reads, read } = open();
  const early = [read(), read()];
  await clock.advance(DISK_MS - 1);
  const reading = [...early, read()];
  expect(reads).toEqual([]);
  await clock.advance(DISK_MS);
  expect((await Promise.all(reading)).map(({ outcome }) => outcome)).toEqual(['miss', 'hit', 'hit']);
  expect(reads).toEqual(['fundingRates']);
});

test('what cannot be on disk is not looked for there', async () => {
  const { clock, reads, read } = open();
  await read(trailing);
  expect(reads).toEqual(['trailingStatsAll']);
  expect(clock.timers()).toBe(0);
});

test('nothing is read for a caller who has left meanwhile', async () => {
  const { clock, reads, read } = open();
  const leaving = new AbortController();
  const gone = expect(read(settled, leaving.signal)).rejects.toMatchObject({ name: 'AbortError' });
  leaving.abort();
  await clock.advance(DISK_MS);
  await gone;
  expect(reads).toEqual([]);
});
