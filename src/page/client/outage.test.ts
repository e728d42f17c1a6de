import { describe, expect, it } from 'vitest';
import type { DeskStatus } from '#contract/desk/status.ts';
import { PROBLEM_PREFIX, PROBLEMS, type ProblemType } from '#contract/desk/problems.ts';
import { InvalidResponseError, NetworkError, ProblemError, UnexpectedResponseError } from './errors.ts';
import {
  explains,
  type ReceivedStatus,
  toDeskOutage,
  toExchangeOutage,
  toLastResponse,
  toNextRetry,
} from './desk-status.ts';

const RECEIVED_AT = 5_000_000;
const NOW = Date.parse('2026-11-20T12:00:00Z');

function before(seconds: number): string {
  return new Date(NOW - seconds * 1_000).toISOString();
}

function failedBefore(seconds: number, type: ProblemType = 'venue-timeout') {
  return { at: before(seconds), type, detail: 'It failed.' };
}

/** The server's clock differs from the browser's. */
function statusOf(venue: object, budget: object = {}): ReceivedStatus {
  const value = {
    now: before(0),
    started_at: before(3_600),
    venue: {
      circuit: 'closed',
      retry_at: null,
      last_answer_at: before(2),
      last_failure: null,
      last_refusal: null,
      ...venue,
    },
    budget: { limit: { requests: 200, seconds: 300, reserve: 30 }, used: 20, next_back_at: null, ...budget },
  };
  return { value: value as unknown as DeskStatus, receivedAt: RECEIVED_AT };
}

function problem(type: ProblemType): ProblemError {
  return new ProblemError(
    { type: PROBLEM_PREFIX + type, ...PROBLEMS[type], detail: 'It failed.', instance: 'r1' },
    0,
    null,
  );
}

describe('an outage of the exchange', () => {
  it('is none while it responds, also after an earlier failure', () => {
    expect(toExchangeOutage(statusOf({}))).toBeNull();
    expect(toExchangeOutage(statusOf({ last_failure: failedBefore(3, 'venue-unreachable') }))).toBeNull();
  });

  it('is none while one endpoint fails and others respond', () => {
    expect(toExchangeOutage(statusOf({ last_failure: failedBefore(1) }))).toBeNull();
    expect(
      toExchangeOutage(statusOf({ last_answer_at: before(29), last_failure: failedBefore(1, 'venue-fault') })),
    ).toBeNull();
  });

  it('begins with the first refused connection, which is never about one endpoint', () => {
    expect(toExchangeOutage(statusOf({ last_failure: failedBefore(1, 'venue-unreachable') }))).toBe('unreachable');
    expect(
      toExchangeOutage(statusOf({ last_answer_at: null, last_failure: failedBefore(1, 'venue-unreachable') })),
    ).toBe('unreachable');
  });

  it.each([
    ['venue-timeout', 'not-responding'],
    ['venue-fault', 'failing'],
    ['venue-answer-unreadable', 'failing'],
  ] as const)('begins with %s once nothing has succeeded for half a minute', (type, kind) => {
    expect(toExchangeOutage(statusOf({ last_answer_at: before(31), last_failure: failedBefore(1, type) }))).toBe(kind);
  });

  it.each(['open', 'half-open'])('lasts while the circuit breaker is %s', (circuit) => {
    expect(toExchangeOutage(statusOf({ circuit, last_failure: failedBefore(1) }))).toBe('not-responding');
    expect(toExchangeOutage(statusOf({ circuit, last_failure: failedBefore(1, 'venue-unreachable') }))).toBe(
      'unreachable',
    );
  });

  it('is a rate limit where the budget is spent, or the exchange itself says so', () => {
    expect(toExchangeOutage(statusOf({}, { used: 200 }))).toBe('rate-limited');
    expect(toExchangeOutage(statusOf({}, { used: 199 }))).toBeNull();
    expect(toExchangeOutage(statusOf({}, { limit: null, used: 500 }))).toBeNull();
    expect(toExchangeOutage(statusOf({ last_refusal: failedBefore(1, 'budget-spent') }))).toBe('rate-limited');
    expect(toExchangeOutage(statusOf({ last_refusal: failedBefore(3, 'budget-spent') }))).toBeNull();
    expect(toExchangeOutage(statusOf({ last_refusal: failedBefore(1, 'key-refused') }))).toBeNull();
  });
});

describe('an outage of Perpdesk', () => {
  it('is the lack of a response, or only errors', () => {
    expect(toDeskOutage(new NetworkError('refused'))).toBe('desk-unreachable');
    expect(toDeskOutage(problem('desk-fault'))).toBe('desk-failing');
    expect(toDeskOutage(new UnexpectedResponseError(502, 'text/html'))).toBe('desk-failing');
  });
});

describe('the times of an outage', () => {
  const failing = statusOf(
    { circuit: 'open', retry_at: before(-4), last_answer_at: before(60) },
    { next_back_at: before(-9) },
  );

  it('are by the browser’s clock', () => {
    const reading = { data: failing, error: null, errorUpdatedAt: 0 };
    expect(toLastResponse('unreachable', reading)).toBe(RECEIVED_AT - 60_000);
    expect(toNextRetry('unreachable', reading)).toBe(RECEIVED_AT + 4_000);
    expect(toNextRetry('rate-limited', reading)).toBe(RECEIVED_AT + 9_000);
  });

  it('are those of Perpdesk’s own responses while it is away', () => {
    const reading = { data: failing, error: new NetworkError('refused'), errorUpdatedAt: RECEIVED_AT + 5_000 };
    expect(toLastResponse('desk-unreachable', reading)).toBe(RECEIVED_AT);
    expect(toNextRetry('desk-unreachable', reading)).toBe(RECEIVED_AT + 10_000);
  });

  it('are unknown where nothing has responded, and where no pause is known', () => {
    expect(
      toLastResponse('desk-unreachable', { data: undefined, error: new NetworkError('refused'), errorUpdatedAt: 0 }),
    ).toBeNull();
    expect(
      toLastResponse('unreachable', { data: statusOf({ last_answer_at: null }), error: null, errorUpdatedAt: 0 }),
    ).toBeNull();
    expect(toNextRetry('unreachable', { data: statusOf({}), error: null, errorUpdatedAt: 0 })).toBeNull();
  });
});

describe('a failure of a panel', () => {
  it('is explained by the outage that it is part of', () => {
    for (const kind of [
      'unreachable',
      'not-responding',
      'failing',
      'rate-limited',
      'desk-unreachable',
      null,
    ] as const) {
      expect([
        kind,
        explains(kind, problem('venue-timeout')),
        explains(kind, 'venue-unreachable'),
        explains(kind, problem('budget-spent')),
      ]).toEqual([kind, true, true, true]);
    }
    expect(explains('desk-unreachable', new NetworkError('refused'))).toBe(true);
    expect(explains('desk-failing', problem('desk-fault'))).toBe(true);
    expect(explains(null, new UnexpectedResponseError(502, null))).toBe(true);
  });

  it('speaks for itself where it is about something else', () => {
    for (const cause of [
      problem('key-refused'),
      problem('bad-parameter'),
      new InvalidResponseError([], ''),
      new Error('bug'),
      'clock-skew',
      null,
    ]) {
      expect(explains('unreachable', cause)).toBe(false);
    }
    expect(explains('unreachable', problem('desk-fault'))).toBe(false);
  });
});
