import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROBLEM_PREFIX, PROBLEMS, type ProblemType } from '#contract/problems.ts';
import type { CacheUse } from '#domain/source.ts';
import { NetworkError, ProblemError, StrangeAnswerError, UnreadableAnswerError } from './errors.ts';
import { isDue, toDueTime, toFreshMillis, toFreshness, toRefetchInterval, type Asked } from './freshness.ts';
import { toTrouble } from './trouble.ts';

const minute = { reuseSeconds: 60 };
const at = 1_000_000;

function answered(fields: { cache?: CacheUse; freshSeconds?: number | null; ageSeconds?: number | null; receivedAt?: number } = {}) {
  return { cache: 'memory', freshSeconds: null, ageSeconds: 0, receivedAt: at, ...fields } as const;
}

function asked(data: Asked['data'], error: Error | null = null): Asked {
  return { data, error, errorUpdatedAt: at };
}

function problem(type: ProblemType, retryAfter: number | null = null): ProblemError {
  const document = { type: PROBLEM_PREFIX + type, ...PROBLEMS[type], detail: 'It went wrong.', instance: 'r1' };
  return new ProblemError(document, at, retryAfter);
}

const types = Object.keys(PROBLEMS) as ProblemType[];

describe('how long an answer is good', () => {
  it('is what the gateway says, and a second for the part of one that it cut', () => {
    expect(toFreshMillis(answered({ freshSeconds: 12 }), minute)).toBe(13_000);
  });

  it('is what is left of its reuse by the gateway’s age where it says nothing else', () => {
    expect(toFreshMillis(answered({ ageSeconds: 45 }), minute)).toBe(15_000);
    expect(toFreshMillis(answered({ ageSeconds: null }), minute)).toBe(60_000);
  });

  it('is put off where a screen asks many of the kind, by what the answer is old already', () => {
    const spare = { reuseSeconds: 15, everySeconds: 300 };
    expect(toFreshMillis(answered({ freshSeconds: 15 }), spare)).toBe(300_000);
    expect(toFreshMillis(answered({ freshSeconds: 5, ageSeconds: 10 }), spare)).toBe(290_000);
    expect(toFreshMillis(answered({ freshSeconds: 15 }), { reuseSeconds: 15, everySeconds: 4 })).toBe(16_000);
  });

  it('is a minute at most for what is older than it should be', () => {
    expect(toFreshMillis(answered({ cache: 'stale', ageSeconds: 500 }), { reuseSeconds: 15, everySeconds: 300 })).toBe(60_000);
    expect(toFreshMillis(answered({ cache: 'stale', ageSeconds: 500 }), { reuseSeconds: 15 })).toBe(15_000);
  });

  it('is for ever for what is settled', () => {
    expect(toFreshMillis(answered({ cache: 'settled', ageSeconds: 9_999_999 }), minute)).toBe(Number.POSITIVE_INFINITY);
    expect(toRefetchInterval(asked(answered({ cache: 'settled' })), minute, at)).toBe(false);
  });

  it('is never so short that the page storms, nor so long that it misses the venue’s return', () => {
    const data = fc.record({
      cache: fc.constantFrom<CacheUse>('venue', 'shared', 'memory', 'stale', 'desk', 'unknown'),
      freshSeconds: fc.option(fc.integer({ min: -100_000, max: 100_000 })),
      ageSeconds: fc.option(fc.nat(100_000)),
      receivedAt: fc.constant(at),
    });
    fc.assert(
      fc.property(data, fc.integer({ min: 1, max: 3_600 }), fc.nat(10_000_000), (answer, reuseSeconds, later) => {
        const wait = toRefetchInterval(asked(answer), { reuseSeconds }, at + later);
        expect(wait).toSatisfy((value: number | false) => value !== false && value >= 1_000 && value <= (reuseSeconds + 1) * 1_000 + 30_000);
      }),
    );
  });

  it('counts from the receipt, so that a second panel does not put it off', () => {
    expect(toRefetchInterval(asked(answered()), minute, at + 50_000)).toBe(10_000);
    expect(toRefetchInterval(asked(answered()), minute, at + 90_000)).toBe(1_000);
  });
});

describe('after the clock of this machine was set back', () => {
  const earlier = at - 3_600_000;

  it('is asked again at once, and not only when that time has come again', () => {
    expect(toRefetchInterval(asked(answered()), minute, earlier)).toBe(1_000);
    expect(toRefetchInterval(asked(answered(), problem('budget-spent', 187)), minute, earlier)).toBe(1_000);
    expect([isDue(asked(answered()), minute, earlier), isDue(asked(answered()), minute, at)]).toEqual([true, false]);
    expect(toRefetchInterval(asked(answered({ cache: 'settled' })), minute, earlier)).toBe(false);
  });

  it('is not shown as live', () => {
    const mark = (now: number) => toFreshness({ ...asked(answered()), data: answered(), errorUpdatedAt: 0 }, minute, now).mark;
    expect([mark(earlier), mark(at - 500), mark(at)]).toEqual(['stale', 'live', 'live']);
  });
});

describe('after a failure', () => {
  it('waits as long as the gateway asks for', () => {
    expect(toRefetchInterval(asked(undefined, problem('budget-spent', 187)), minute, at)).toBe(187_000);
    expect(toDueTime(asked(answered(), problem('budget-spent', 187)), minute)).toBe(at + 187_000);
  });

  it.each(['venue-unreachable', 'venue-timeout', 'venue-fault', 'venue-answer-unreadable', 'desk-cannot-write', 'desk-fault'] as const)('asks again after %s, so that it recovers by itself', (type) => {
    expect(toRefetchInterval(asked(answered(), problem(type)), minute, at)).toBe(10_000);
  });

  it.each(['bad-parameter', 'not-found', 'not-in-the-interface', 'cross-site', 'too-many-working-orders'] as const)('does not ask the same again after %s', (type) => {
    expect(toRefetchInterval(asked(undefined, problem(type)), minute, at)).toBe(false);
  });

  it.each(['bad-parameter', 'not-found'] as const)('asks again after %s where it was answered before: the venue may be between two of its versions', (type) => {
    expect(toRefetchInterval(asked(answered(), problem(type)), minute, at)).toBe(60_000);
  });

  it('looks for the desk often, for a refused key seldom, and not at all after a defect of the page', () => {
    const wait = (error: Error) => toRefetchInterval(asked(undefined, error), minute, at);
    expect([new NetworkError('away'), new StrangeAnswerError(502, 'text/html'), new UnreadableAnswerError([], '[]'), problem('key-refused'), new TypeError('defect')].map(wait)).toEqual([
      5_000, 30_000, 30_000, 60_000, false,
    ]);
  });

  it('does nothing while the first answer is still coming', () => {
    expect(toRefetchInterval(asked(undefined), minute, at)).toBe(false);
  });
});

describe('the freshness mark', () => {
  const mark = (fields: Parameters<typeof answered>[0], laterSeconds: number, error: Error | null = null) =>
    toFreshness({ data: answered(fields), error, errorUpdatedAt: at }, minute, at + laterSeconds * 1_000);

  it('counts on from the gateway’s age', () => {
    expect(mark({ ageSeconds: 30 }, 12)).toEqual({ mark: 'live', ageSeconds: 42 });
  });

  it('is live, then ageing, then stale', () => {
    expect([100, 121, 299, 301].map((seconds) => mark({}, seconds).mark)).toEqual(['live', 'ageing', 'ageing', 'stale']);
  });

  it('is stale at once when the venue is away or the last read failed', () => {
    expect(mark({ cache: 'stale' }, 0).mark).toBe('stale');
    expect(mark({}, 0, new NetworkError('away')).mark).toBe('stale');
  });

  it('is settled for what never changes again, whatever its age', () => {
    expect(mark({ cache: 'settled', ageSeconds: 86_400 }, 0).mark).toBe('settled');
  });

  it('does not grow younger when the browser’s clock is set back', () => {
    expect(mark({ ageSeconds: 30 }, -3_600).ageSeconds).toBe(30);
  });
});

describe('toTrouble', () => {
  it.each(types)('says of %s what happened and what to do', (type) => {
    const trouble = toTrouble(problem(type, 3));
    expect(trouble).toMatchObject({ title: PROBLEMS[type].title, detail: 'It went wrong.', evidence: { name: 'For the log', text: 'request r1' }, retryAt: at + 3_000 });
    expect(trouble.advice).toMatch(/^[A-Z].*\.$/);
  });

  it('passes on what a newer desk says', () => {
    const document = { type: 'about:blank', status: 418, title: 'A teapot.', detail: 'Short and stout.', instance: 'r2' };
    expect(toTrouble(new ProblemError(document, at, null))).toMatchObject({ kind: 'failed', title: 'A teapot.', detail: 'Short and stout.' });
  });

  it('tells a lost desk, a stranger’s answer, another shape and a defect apart', () => {
    const titles = [new NetworkError('a'), new StrangeAnswerError(502, null), new UnreadableAnswerError([], 'x'), new TypeError('b')].map((error) => toTrouble(error).title);
    expect(new Set(titles).size).toBe(4);
    expect(toTrouble(new UnreadableAnswerError([], '"closed"')).evidence?.text).toBe('"closed"');
  });
});
