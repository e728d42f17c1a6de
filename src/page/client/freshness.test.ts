import { describe, expect, it, test } from 'vitest';
import type { ApiResponse, CacheOutcome } from '#model/response.ts';
import {
  isDue,
  type QueryState,
  refetchOptions,
  toDueTime,
  toFreshMillis,
  toFreshness,
  toRefetchInterval,
} from './freshness.ts';
import fc from 'fast-check';
import { PROBLEM_PREFIX, PROBLEMS, type ProblemType } from '#contract/desk/problems.ts';
import { InvalidResponseError, NetworkError, ProblemError, UnexpectedResponseError } from './errors.ts';

const TIME = 1_700_000_000_000;
const SECOND_MS = 1_000;
const cadence = { everySeconds: 20, sharedBy: 1 };
const response = { cache: 'miss', freshSeconds: 4, ageSeconds: 0, receivedAt: TIME } as ApiResponse<unknown>;
const pushed = { ...response, cadence };

/** Returns how a query with this response behaves this many seconds after it arrived. */
function after(seconds: number, data: ApiResponse<unknown>, pushedAt = TIME) {
  const now = (): number => TIME + seconds * SECOND_MS;
  const { refetchInterval, refetchOnWindowFocus } = refetchOptions({ reuseSeconds: 4 }, now, () => pushedAt);
  const query = { state: { data, error: null, errorUpdatedAt: 0 } } as unknown as Parameters<typeof refetchInterval>[0];
  return { interval: refetchInterval(query), isDue: refetchOnWindowFocus(query) };
}

test('what is pushed is not polled, unless no push came for long', () => {
  expect(after(0, pushed)).toEqual({ interval: 100 * SECOND_MS, isDue: false });
  expect(after(99, pushed)).toEqual({ interval: SECOND_MS, isDue: false });
  expect(after(100, pushed)).toEqual({ interval: SECOND_MS, isDue: true });
  expect(after(-3_600, pushed)).toEqual({ interval: SECOND_MS, isDue: true });
});

test('what was polled is polled again only where nothing is pushed: the next push brings a newer one', () => {
  expect(after(0, response, 0)).toEqual({ interval: 5 * SECOND_MS, isDue: false });
  expect(after(10, response, 0)).toEqual({ interval: SECOND_MS, isDue: true });
  expect(after(10, response)).toEqual({ interval: 50 * SECOND_MS, isDue: false });
  expect(after(60, response)).toEqual({ interval: SECOND_MS, isDue: true });
});

const minute = { reuseSeconds: 60 };
const at = 1_000_000;

function responseOf(
  fields: { cache?: CacheOutcome; freshSeconds?: number | null; ageSeconds?: number | null; receivedAt?: number } = {},
) {
  return { cache: 'hit', freshSeconds: null, ageSeconds: 0, receivedAt: at, ...fields } as const;
}

function stateOf(data: QueryState['data'], error: Error | null = null): QueryState {
  return { data, error, errorUpdatedAt: at };
}

function problem(type: ProblemType, retryAfter: number | null = null): ProblemError {
  const document = { type: PROBLEM_PREFIX + type, ...PROBLEMS[type], detail: 'It went wrong.', instance: 'r1' };
  return new ProblemError(document, at, retryAfter);
}

describe('how long a response is fresh', () => {
  it('is what the gateway says, plus a second for its rounding', () => {
    expect(toFreshMillis(responseOf({ freshSeconds: 12 }), minute)).toBe(13_000);
  });

  it('is the rest of its reuse time, by its age, where the gateway says nothing else', () => {
    expect(toFreshMillis(responseOf({ ageSeconds: 45 }), minute)).toBe(15_000);
    expect(toFreshMillis(responseOf({ ageSeconds: null }), minute)).toBe(60_000);
  });

  it('is extended by a screen’s longer interval, counted from the age of the response', () => {
    const seldom = { reuseSeconds: 15, everySeconds: 300 };
    expect(toFreshMillis(responseOf({ freshSeconds: 15 }), seldom)).toBe(300_000);
    expect(toFreshMillis(responseOf({ freshSeconds: 5, ageSeconds: 10 }), seldom)).toBe(290_000);
    expect(toFreshMillis(responseOf({ freshSeconds: 15 }), { reuseSeconds: 15, everySeconds: 4 })).toBe(16_000);
  });

  it('is at most a minute for a stale response', () => {
    expect(
      toFreshMillis(responseOf({ cache: 'stale', ageSeconds: 500 }), { reuseSeconds: 15, everySeconds: 300 }),
    ).toBe(60_000);
    expect(toFreshMillis(responseOf({ cache: 'stale', ageSeconds: 500 }), { reuseSeconds: 15 })).toBe(15_000);
  });

  it('never ends for settled data', () => {
    expect(toFreshMillis(responseOf({ cache: 'disk-hit', ageSeconds: 9_999_999 }), minute)).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(toRefetchInterval(stateOf(responseOf({ cache: 'disk-hit' })), minute, at)).toBe(false);
  });

  it('is never so short that the page floods the gateway, nor so long that it misses the venue’s recovery', () => {
    const data = fc.record({
      cache: fc.constantFrom<CacheOutcome>('miss', 'coalesced', 'hit', 'stale', 'computed', 'unknown'),
      freshSeconds: fc.option(fc.integer({ min: -100_000, max: 100_000 })),
      ageSeconds: fc.option(fc.nat(100_000)),
      receivedAt: fc.constant(at),
    });
    fc.assert(
      fc.property(data, fc.integer({ min: 1, max: 3_600 }), fc.nat(10_000_000), (response, reuseSeconds, later) => {
        const wait = toRefetchInterval(stateOf(response), { reuseSeconds }, at + later);
        expect(wait).toSatisfy(
          (value: number | false) => value !== false && value >= 1_000 && value <= (reuseSeconds + 1) * 1_000 + 30_000,
        );
      }),
    );
  });

  it('counts from the receipt, so that a second panel does not postpone the read', () => {
    expect(toRefetchInterval(stateOf(responseOf()), minute, at + 50_000)).toBe(10_000);
    expect(toRefetchInterval(stateOf(responseOf()), minute, at + 90_000)).toBe(1_000);
  });
});

describe('after this machine’s clock was set back', () => {
  const earlier = at - 3_600_000;

  it('reads again at once instead of waiting for that time to come again', () => {
    expect(toRefetchInterval(stateOf(responseOf()), minute, earlier)).toBe(1_000);
    expect(toRefetchInterval(stateOf(responseOf(), problem('budget-spent', 187)), minute, earlier)).toBe(1_000);
    expect([isDue(stateOf(responseOf()), minute, earlier), isDue(stateOf(responseOf()), minute, at)]).toEqual([
      true,
      false,
    ]);
    expect(toRefetchInterval(stateOf(responseOf({ cache: 'disk-hit' })), minute, earlier)).toBe(false);
  });

  it('does not mark data as live', () => {
    const mark = (now: number) =>
      toFreshness({ ...stateOf(responseOf()), data: responseOf(), errorUpdatedAt: 0 }, minute, now).mark;
    expect([mark(earlier), mark(at - 500), mark(at)]).toEqual(['stale', 'live', 'live']);
  });
});

describe('after a failure', () => {
  it('waits as long as Retry-After says', () => {
    expect(toRefetchInterval(stateOf(undefined, problem('budget-spent', 187)), minute, at)).toBe(187_000);
    expect(toDueTime(stateOf(responseOf(), problem('budget-spent', 187)), minute)).toBe(at + 187_000);
  });

  it.each([
    'venue-unreachable',
    'venue-timeout',
    'venue-fault',
    'venue-answer-unreadable',
    'desk-cannot-write',
    'desk-fault',
  ] as const)('retries after %s, so that it recovers by itself', (type) => {
    expect(toRefetchInterval(stateOf(responseOf(), problem(type)), minute, at)).toBe(10_000);
  });

  it.each(['bad-parameter', 'not-found', 'not-in-the-interface', 'cross-site', 'too-many-working-orders'] as const)(
    'does not repeat the request after %s',
    (type) => {
      expect(toRefetchInterval(stateOf(undefined, problem(type)), minute, at)).toBe(false);
    },
  );

  it.each(['bad-parameter', 'not-found'] as const)(
    'retries after %s where the request succeeded before, since the venue may be redeploying',
    (type) => {
      expect(toRefetchInterval(stateOf(responseOf(), problem(type)), minute, at)).toBe(60_000);
    },
  );

  it('retries an unreachable desk often, a refused key seldom, and a defect of the page never', () => {
    const wait = (error: Error) => toRefetchInterval(stateOf(undefined, error), minute, at);
    expect(
      [
        new NetworkError('unreachable'),
        new UnexpectedResponseError(502, 'text/html'),
        new InvalidResponseError([], '[]'),
        problem('key-refused'),
        new TypeError('defect'),
      ].map(wait),
    ).toEqual([5_000, 30_000, 30_000, 60_000, false]);
  });

  it('does nothing while the first request is in flight', () => {
    expect(toRefetchInterval(stateOf(undefined), minute, at)).toBe(false);
  });
});

describe('the freshness mark', () => {
  const mark = (fields: Parameters<typeof responseOf>[0], laterSeconds: number, error: Error | null = null) =>
    toFreshness({ data: responseOf(fields), error, errorUpdatedAt: at }, minute, at + laterSeconds * 1_000);

  it('adds the time since receipt to the gateway’s age', () => {
    expect(mark({ ageSeconds: 30 }, 12)).toEqual({ mark: 'live', ageSeconds: 42 });
  });

  it('is live, then ageing, then stale', () => {
    expect([100, 121, 299, 301].map((seconds) => mark({}, seconds).mark)).toEqual([
      'live',
      'ageing',
      'ageing',
      'stale',
    ]);
  });

  it('is stale at once when the gateway serves stale data or the last read failed', () => {
    expect(mark({ cache: 'stale' }, 0).mark).toBe('stale');
    expect(mark({}, 0, new NetworkError('unreachable')).mark).toBe('stale');
  });

  it('is settled for settled data, whatever its age', () => {
    expect(mark({ cache: 'disk-hit', ageSeconds: 86_400 }, 0).mark).toBe('settled');
  });

  it('does not grow younger when the browser’s clock is set back', () => {
    expect(mark({ ageSeconds: 30 }, -3_600).ageSeconds).toBe(30);
  });
});
