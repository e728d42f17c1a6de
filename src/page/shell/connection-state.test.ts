import { describe, expect, it } from 'vitest';
import type { DeskStatus } from '#contract/desk/status.ts';
import type { ReceivedStatus } from '#page/client/desk-status.ts';
import { NetworkError } from '#page/client/errors.ts';
import { toConnectionState } from './connection-state.ts';

function statusOf(venue: object): ReceivedStatus {
  const usual = { circuit: 'closed', last_answer_at: '2026-11-20T11:59:58Z', last_failure: null, last_refusal: null };
  const value = {
    now: '2026-11-20T12:00:00Z',
    started_at: '2026-11-20T11:00:00Z',
    venue: { ...usual, ...venue },
    budget: { limit: null, used: 0 },
    live: { streams: 1, topics: [] },
  };
  return { value: value as unknown as DeskStatus, receivedAt: 5_000 };
}

const failure = { type: 'venue-timeout', detail: 'The exchange did not respond in time.' };

describe('the connection', () => {
  it('is unknown before the first status', () => {
    expect(toConnectionState(undefined, null).state).toBe('unknown');
  });

  it('is good while the exchange responds, also after an earlier failure', () => {
    expect(toConnectionState(statusOf({}), null).state).toBe('good');
    expect(toConnectionState(statusOf({ last_failure: { ...failure, at: '2026-11-20T11:59:57Z' } }), null).state).toBe(
      'good',
    );
  });

  it('is failing while the last read failed, and names an outage', () => {
    const lastFailure = { ...failure, at: '2026-11-20T11:59:59Z' };
    expect(toConnectionState(statusOf({ last_failure: lastFailure }), null)).toEqual({
      state: 'failing',
      words: 'Exchange error',
    });
    expect(toConnectionState(statusOf({ last_failure: lastFailure, circuit: 'open' }), null)).toEqual({
      state: 'failing',
      words: 'Exchange not responding',
    });
  });

  it('is lost without Perpdesk, whatever its last status was', () => {
    expect(toConnectionState(statusOf({}), new NetworkError('refused'))).toEqual({
      state: 'failing',
      words: 'Perpdesk unreachable',
    });
  });
});
