import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createBody } from '#server/core/body.ts';
import type { RateLimiterState, VenueRequest } from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { classifyStatus, diagnose, isTransient, type Rejection } from './diagnose.ts';

const STAMP = '2026-08-17T12:00:00.000Z';
const unreachable = new VenueFailure({ type: 'venue-unreachable', detail: 'gone' });

type Test = number | Error | 'must not be sent';

interface Case {
  readonly status?: number;
  readonly used?: number;
  readonly limit?: RateLimiterState['limit'];
  readonly timestamp?: string | null;
  readonly date?: string | null;
  readonly open?: Test;
  readonly tested?: Test;
  readonly same?: Test;
}

function respondWith(test: Test): () => Promise<number> {
  if (test === 'must not be sent') return () => Promise.reject(new Error(test));
  return () => (typeof test === 'number' ? Promise.resolve(test) : Promise.reject(test));
}

function diagnoseCase({
  status = 403,
  used = 0,
  limit = { requests: 200, seconds: 300, reserve: 30 },
  timestamp = STAMP,
  date = STAMP,
  open = 'must not be sent',
  tested = 'must not be sent',
  same = 'must not be sent',
}: Case) {
  const state = {
    limit,
    used,
    nextFreeMs: null,
    allFreeMs: null,
    waiting: 0,
    byPurpose: { interactive: 0, working: 0, trailing: 0, estimates: 0, history: 0, prefetch: 0 },
  };
  const rejection: Rejection = {
    received: { status, headers: date === null ? {} : { date: new Date(date).toUTCString() }, body: createBody([]) },
    timestamp,
    statusOfPublic: respondWith(open),
    statusOfSelfTest: respondWith(tested),
    statusOfSame: respondWith(same),
  };
  return diagnose({ state: () => state }, rejection);
}

describe('a 403', () => {
  it.each([200, 250])('after %i of 200 requests is about the budget, without further requests', async (used) => {
    expect(await diagnoseCase({ used })).toEqual({
      type: 'budget-spent',
      detail: expect.stringMatching(/^The exchange’s request budget is exhausted/) as string,
      retryAfterSeconds: 30,
    });
  });

  it.each([170, 199])('after %i of 200 requests is about the key if a public request succeeds', async (used) => {
    expect(await diagnoseCase({ used, open: 200, tested: 403 })).toMatchObject({ type: 'key-refused' });
    expect(await diagnoseCase({ used, open: 200, tested: 200, same: 403 })).toMatchObject({
      type: 'key-refused',
      detail: expect.stringMatching(/^The key is valid/) as string,
    });
  });

  it('after fewer is about another program’s use if a public request is rejected too', async () => {
    for (const limit of [{ requests: 200, seconds: 300, reserve: 30 }, null]) {
      expect(await diagnoseCase({ used: 199, limit, open: 403 })).toMatchObject({
        type: 'budget-spent',
        detail: expect.stringMatching(/another program/) as string,
      });
    }
  });

  it.each([403, 500, unreachable])(
    'to an unsigned request is about the budget if another one fails with %s',
    async (open) => {
      expect(await diagnoseCase({ timestamp: null, open })).toMatchObject({ type: 'budget-spent' });
    },
  );

  it('to an unsigned request is about its endpoint if another one succeeds', async () => {
    expect(await diagnoseCase({ timestamp: null, open: 200 })).toMatchObject({
      type: 'venue-fault',
      detail: expect.stringMatching(/rejects this request with status 403 but accepts others/) as string,
    });
  });
});

describe('a rejected signed request', () => {
  it.each([
    ['2026-08-17T12:00:28.000Z', 'clock-skew', /is 28 s behind/],
    ['2026-08-17T11:59:32.000Z', 'clock-skew', /is 28 s ahead of/],
    ['2026-08-17T13:00:00.000Z', 'clock-skew', /is 3600 s behind/],
    ['2026-08-17T12:00:26.000Z', 'key-refused', /rejects the key/],
    ['2026-08-17T11:59:34.000Z', 'key-refused', /rejects the key/],
  ])('at %s, signed at 12:00:00, is %s', async (date, type, detail) => {
    const tests: Case = type === 'clock-skew' ? {} : { open: 200, tested: 401 };
    expect(await diagnoseCase({ date, ...tests })).toMatchObject({
      type,
      detail: expect.stringMatching(detail) as string,
    });
  });

  it('without a readable date is not about the clock', async () => {
    expect(await diagnoseCase({ status: 401, date: null, tested: 401 })).toMatchObject({
      type: 'key-refused',
      retryAfterSeconds: 30,
    });
  });

  it.each([
    [{ status: 401, tested: 401 }, /^The exchange rejects the key/, 30],
    [{ status: 401, used: 200, tested: 401 }, /^The exchange rejects the key/, 30],
    [{ open: 200, tested: 403 }, /^The exchange rejects the key/, 30],
    [{ open: 500, tested: 401 }, /^The exchange rejects the key/, 30],
    [{ status: 401, tested: 200 }, /^The key is valid/, undefined],
    [{ open: 200, tested: 200, same: 403 }, /^The key is valid/, undefined],
    [{ open: 200, tested: 200, same: unreachable }, /^The key is valid/, undefined],
    [{ status: 401, tested: unreachable }, /with status 401, and a test of the key got no clear response/, undefined],
    ...[400, 404, 429, 500, 503].map(
      (tested) =>
        [{ open: 200, tested }, /with status 403, and a test of the key got no clear response/, undefined] as const,
    ),
    [{ open: unreachable }, /with status 403, and a test/, undefined],
    [{ open: 200, tested: unreachable }, /with status 403, and a test/, undefined],
  ] as readonly (readonly [Case, RegExp, number | undefined])[])(
    '%j is about the key: %s',
    async (rejected, detail, retryAfterSeconds) => {
      const problem = await diagnoseCase(rejected);
      expect(problem).toMatchObject({ type: 'key-refused', detail: expect.stringMatching(detail) as string });
      expect(problem.retryAfterSeconds).toBe(retryAfterSeconds);
    },
  );

  it('is about another program’s use if the same request succeeds a moment later', async () => {
    expect(await diagnoseCase({ open: 200, tested: 200, same: 200 })).toMatchObject({
      type: 'budget-spent',
      detail: expect.stringMatching(/another program/) as string,
    });
  });

  it('stops when its caller has gone', async () => {
    const gone = new DOMException('The caller has gone.', 'AbortError');
    await expect(diagnoseCase({ status: 401, tested: gone })).rejects.toBe(gone);
  });
});

describe('a 401 to an unsigned request', () => {
  it('is a fault of the exchange', async () => {
    expect(await diagnoseCase({ status: 401, timestamp: null })).toMatchObject({
      type: 'venue-fault',
      detail: expect.stringMatching(/requires a key/) as string,
    });
  });
});

const request: VenueRequest = {
  name: 'orders',
  endpoint: ENDPOINTS.orders,
  pathParameters: {},
  query: [],
  path: '/v1/prod/orders',
  rawQuery: '',
  target: '/v1/prod/orders',
};
const classify = (status: number, message = '', headers: Readonly<Record<string, string>> = {}) =>
  classifyStatus(request, { status, headers, body: createBody([Buffer.from(message)]) });

describe('a status', () => {
  it.each([
    [400, 'bad-parameter'],
    [414, 'bad-parameter'],
    [404, 'not-found'],
    [429, 'budget-spent'],
    [301, 'venue-fault'],
    [308, 'venue-fault'],
    [201, 'venue-fault'],
    [405, 'venue-fault'],
    [500, 'venue-fault'],
    [599, 'venue-fault'],
  ])('%i is %s', (status, type) => {
    expect(classify(status).type).toBe(type);
  });

  it('400 that means clause 7 has its own problem type, whatever its wording', () => {
    const message = 'More than 10,000 working orders match';
    const working = { ...request, name: 'ordersWorking', endpoint: ENDPOINTS.ordersWorking } as const;
    const classifyWorking = (status: number) =>
      classifyStatus(working, { status, headers: {}, body: createBody([Buffer.from(message)]) });
    expect(classifyWorking(400)).toEqual({ type: 'too-many-working-orders', detail: message });
    expect(classifyWorking(500).type).toBe('venue-fault');
    expect(classify(400, message).type).toBe('bad-parameter');
  });

  it('quotes the exchange’s message if it is a sentence, and not if it is a page', () => {
    expect(classify(500, ' down\n for\ttea ').detail).toBe(
      'The exchange responded to orders with status 500: down for tea',
    );
    expect(classify(502, '<!doctype html><p>Bad').detail).toBe('The exchange responded to orders with status 502');
    expect(classify(400, 'x'.repeat(5_000)).detail.length).toBeLessThan(300);
  });

  it.each([
    [503, '12', 12],
    [503, '0', 1],
    [503, '86400', 300],
    [503, '-1', undefined],
    [503, '1e9', undefined],
    [429, '1.5', 30],
    [404, '12', undefined],
    [302, '12', undefined],
    [503, 'Mon, 17 Aug 2026 12:01:05 GMT', 65],
    [429, 'Mon, 17 Aug 2026 11:00:00 GMT', 1],
    [503, 'Mon, 17 Aug 2026 23:00:00 GMT', 300],
    [503, 'soon', undefined],
  ])('%i with Retry-After %s is retried in %s s', (status, message, seconds) => {
    expect(
      classify(status, '', { 'retry-after': message, 'date': 'Mon, 17 Aug 2026 12:00:00 GMT' }).retryAfterSeconds,
    ).toBe(seconds);
  });

  it('with a retry date but no Date to count from is retried as usual', () => {
    expect(classify(503, '', { 'retry-after': 'Mon, 17 Aug 2026 12:01:05 GMT' }).retryAfterSeconds).toBeUndefined();
  });

  it('is transient if the exchange failed and named no retry time', () => {
    const transient = [200, 204, 301, 400, 403, 404, 429, 499, 500, 502, 503, 599].filter((status) =>
      isTransient(status, classify(status)),
    );
    expect(transient).toEqual([500, 502, 503, 599]);
    expect(isTransient(503, classify(503, '', { 'retry-after': '5' }))).toBe(false);
  });
});
