import { describe, expect, it } from 'vitest';
import type { DeskStatus } from '#contract/desk.ts';
import type { ReceivedStatus } from '#api/venue-time.ts';
import { toAnnouncement, toConnectionState } from './connection-state.ts';

const failure = { type: 'venue-timeout', detail: 'The exchange did not respond in time.' };

function statusOf(venue: object, now = '2026-11-20T12:00:00Z'): ReceivedStatus {
  const usual = { circuit: 'closed', clock_offset_ms: 0, last_answer_at: '2026-11-20T11:59:58Z', last_failure: null };
  const value = { now, venue: { ...usual, ...venue } } as unknown as DeskStatus;
  return { value, receivedAt: 5_000 };
}

describe('the connection', () => {
  it('is unknown before the first status', () => {
    expect(toConnectionState(undefined, null).state).toBe('unknown');
  });

  it('is good while the venue responds, also after an earlier failure', () => {
    expect(toConnectionState(statusOf({}), null).state).toBe('good');
    expect(toConnectionState(statusOf({ last_failure: { ...failure, at: '2026-11-20T11:59:57Z' } }), null).state).toBe('good');
  });

  it('is not responding while the last read failed', () => {
    expect(toConnectionState(statusOf({ last_failure: { ...failure, at: '2026-11-20T11:59:59Z' } }), null).state).toBe('not-responding');
    expect(toConnectionState(statusOf({ last_answer_at: null, last_failure: { ...failure, at: '2026-11-20T11:59:59Z' } }), null).state).toBe('not-responding');
  });

  it('is unreachable while reads are paused, and stays so while a single one probes the venue', () => {
    const lastFailure = { ...failure, at: '2026-11-20T11:59:59Z' };
    const words = ['open', 'half-open'].map((circuit) => toConnectionState(statusOf({ circuit, last_failure: lastFailure }), null).words);
    expect(words).toEqual(['Exchange requests paused', 'Exchange requests paused']);
    expect(toConnectionState(statusOf({ circuit: 'open' }), null).state).toBe('unreachable');
    expect(toAnnouncement(words[0] ?? '', words[1] ?? '')).toBeNull();
  });

  it('is lost without the desk, whatever its last status was', () => {
    expect(toConnectionState(statusOf({}), new Error('refused')).state).toBe('no-desk');
  });
});

describe('the announcement', () => {
  it('is each new problem, and the recovery only once no problem is left', () => {
    const problems = ['', 'Exchange error', 'Exchange requests paused', 'Exchange requests paused', '', ''];
    const announcements = problems.slice(1).map((problem, index) => toAnnouncement(problems[index] ?? '', problem));
    expect(announcements).toEqual(['Exchange error', 'Exchange requests paused', null, 'Exchange connection restored.', null]);
  });
});
