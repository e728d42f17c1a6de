import { describe, expect, it } from 'vitest';
import { createBody } from '../body.ts';
import { VenueFailure, type LedgerState } from '../ports.ts';
import { diagnose, type Refused } from './diagnose.ts';

const STAMP = '2026-08-17T12:00:00.000Z';
const unreachable = new VenueFailure({ type: 'venue-unreachable', detail: 'gone' });

type Test = number | Error | 'must not be asked';

interface Case {
  readonly status?: number;
  readonly used?: number;
  readonly limit?: LedgerState['limit'];
  readonly timestamp?: string | null;
  readonly date?: string | null;
  readonly open?: Test;
  readonly tested?: Test;
  readonly same?: Test;
}

function answerWith(test: Test): () => Promise<number> {
  if (test === 'must not be asked') return () => Promise.reject(new Error(test));
  return () => (typeof test === 'number' ? Promise.resolve(test) : Promise.reject(test));
}

function judge({ status = 403, used = 0, limit = { requests: 200, seconds: 300, reserve: 30 }, timestamp = STAMP, date = STAMP, open = 'must not be asked', tested = 'must not be asked', same = 'must not be asked' }: Case) {
  const state = { limit, used, nextBackMs: null, allBackMs: null, waiting: 0, byPurpose: { click: 0, working: 0, trailing: 0, estimates: 0, history: 0, prefetch: 0 } };
  const refused: Refused = {
    received: { status, headers: date === null ? {} : { date: new Date(date).toUTCString() }, body: createBody([]) },
    timestamp,
    statusOfPublic: answerWith(open),
    statusOfSelfTest: answerWith(tested),
    statusOfSame: answerWith(same),
  };
  return diagnose({ state: () => state }, refused);
}

describe('a 403', () => {
  it.each([200, 250])('after %i of 200 requests is about the budget, and nothing is asked to find out', async (used) => {
    expect(await judge({ used })).toEqual({ type: 'budget-spent', detail: expect.stringMatching(/^The venue’s request budget is spent/) as string, retryAfterSeconds: 30 });
  });

  it.each([170, 199])('after %i of 200 requests, which a busy desk has always sent, is about the key where a public question is answered', async (used) => {
    expect(await judge({ used, open: 200, tested: 403 })).toMatchObject({ type: 'key-refused' });
    expect(await judge({ used, open: 200, tested: 200, same: 403 })).toMatchObject({ type: 'key-refused', detail: expect.stringMatching(/^The key is good/) as string });
  });

  it('after fewer is about another program’s use where a public question is refused too', async () => {
    for (const limit of [{ requests: 200, seconds: 300, reserve: 30 }, null]) {
      expect(await judge({ used: 199, limit, open: 403 })).toMatchObject({ type: 'budget-spent', detail: expect.stringMatching(/another program/) as string });
    }
  });

  it.each([403, 500, unreachable])('to a question without a key is about the budget where another is answered %s', async (open) => {
    expect(await judge({ timestamp: null, open })).toMatchObject({ type: 'budget-spent' });
  });

  it('to a question without a key is about that question where another is answered', async () => {
    expect(await judge({ timestamp: null, open: 200 })).toMatchObject({ type: 'venue-fault', detail: expect.stringMatching(/refuses this question with status 403, and answers others/) as string });
  });
});

describe('a refusal of a signed question', () => {
  it.each([
    ['2026-08-17T12:00:28.000Z', 'clock-skew', /is 28 s behind/],
    ['2026-08-17T11:59:32.000Z', 'clock-skew', /is 28 s ahead of/],
    ['2026-08-17T13:00:00.000Z', 'clock-skew', /is 3600 s behind/],
    ['2026-08-17T12:00:26.000Z', 'key-refused', /refuses the key/],
    ['2026-08-17T11:59:34.000Z', 'key-refused', /refuses the key/],
  ])('at %s, stamped 12:00:00, is %s', async (date, type, detail) => {
    const asked: Case = type === 'clock-skew' ? {} : { open: 200, tested: 401 };
    expect(await judge({ date, ...asked })).toMatchObject({ type, detail: expect.stringMatching(detail) as string });
  });

  it('without a readable date is not about the clock', async () => {
    expect(await judge({ status: 401, date: null, tested: 401 })).toMatchObject({ type: 'key-refused', retryAfterSeconds: 30 });
  });

  it.each([
    [{ status: 401, tested: 401 }, /^The venue refuses the key/, 30],
    [{ status: 401, used: 200, tested: 401 }, /^The venue refuses the key/, 30],
    [{ open: 200, tested: 403 }, /^The venue refuses the key/, 30],
    [{ open: 500, tested: 401 }, /^The venue refuses the key/, 30],
    [{ status: 401, tested: 200 }, /^The key is good/, undefined],
    [{ open: 200, tested: 200, same: 403 }, /^The key is good/, undefined],
    [{ open: 200, tested: 200, same: unreachable }, /^The key is good/, undefined],
    [{ status: 401, tested: unreachable }, /with status 401, and a test of the key was not answered/, undefined],
    ...[400, 404, 429, 500, 503].map((tested) => [{ open: 200, tested }, /with status 403, and a test of the key was not answered/, undefined] as const),
    [{ open: unreachable }, /with status 403, and a test/, undefined],
    [{ open: 200, tested: unreachable }, /with status 403, and a test/, undefined],
  ] as readonly (readonly [Case, RegExp, number | undefined])[])('%j is about the key: %s', async (asked, detail, retryAfterSeconds) => {
    const problem = await judge(asked);
    expect(problem).toMatchObject({ type: 'key-refused', detail: expect.stringMatching(detail) as string });
    expect(problem.retryAfterSeconds).toBe(retryAfterSeconds);
  });

  it('is about another program’s use where the very same is answered a moment later', async () => {
    expect(await judge({ open: 200, tested: 200, same: 200 })).toMatchObject({ type: 'budget-spent', detail: expect.stringMatching(/another program/) as string });
  });

  it('that nobody waits for any more is left', async () => {
    const gone = new DOMException('Nobody waits any more.', 'AbortError');
    await expect(judge({ status: 401, tested: gone })).rejects.toBe(gone);
  });
});

describe('a 401 to a question without a key', () => {
  it('is a fault of the venue', async () => {
    expect(await judge({ status: 401, timestamp: null })).toMatchObject({ type: 'venue-fault', detail: expect.stringMatching(/asks for a key/) as string });
  });
});
