import { describe, expect, it } from 'vitest';
import type { DeskStatus } from '#contract/desk.ts';
import type { KnownStatus } from '#api/venue-time.ts';
import { tellChange, toConnection } from './connection-state.ts';

const failure = { type: 'venue-timeout', detail: 'It did not answer in time.' };

function statusOf(venue: object, now = '2026-11-20T12:00:00Z'): KnownStatus {
  const usual = { circuit: 'closed', clock_offset_ms: 0, last_answer_at: '2026-11-20T11:59:58Z', last_failure: null };
  const value = { now, venue: { ...usual, ...venue } } as unknown as DeskStatus;
  return { value, receivedAt: 5_000 };
}

describe('the connection', () => {
  it('is unknown before the first status', () => {
    expect(toConnection(undefined, null).state).toBe('unknown');
  });

  it('is good while the venue answers, also after a failure that is over', () => {
    expect(toConnection(statusOf({}), null).state).toBe('good');
    expect(toConnection(statusOf({ last_failure: { ...failure, at: '2026-11-20T11:59:57Z' } }), null).state).toBe('good');
  });

  it('is failing while the last thing heard is a failure', () => {
    expect(toConnection(statusOf({ last_failure: { ...failure, at: '2026-11-20T11:59:59Z' } }), null).state).toBe('failing');
    expect(toConnection(statusOf({ last_answer_at: null, last_failure: { ...failure, at: '2026-11-20T11:59:59Z' } }), null).state).toBe('failing');
  });

  it('is away once the venue is not asked any more', () => {
    expect(toConnection(statusOf({ circuit: 'open' }), null).state).toBe('away');
  });

  it('is not to be had without the desk, whatever it said last', () => {
    expect(toConnection(statusOf({}), new Error('refused')).state).toBe('no-desk');
  });
});

describe('what is said aloud of the connection', () => {
  it('is each trouble, and that it is well again only once none is left', () => {
    const troubles = ['', 'The venue is failing', 'The venue is not reached', 'The venue is not reached', '', ''];
    const told = troubles.slice(1).map((trouble, index) => tellChange(troubles[index] ?? '', trouble));
    expect(told).toEqual(['The venue is failing', 'The venue is not reached', null, 'The venue is heard again.', null]);
  });
});
