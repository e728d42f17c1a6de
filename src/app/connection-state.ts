import type { ReceivedStatus } from '#api/venue-time.ts';

export interface ConnectionState {
  readonly state: 'unknown' | 'good' | 'not-responding' | 'unreachable' | 'no-desk';
  readonly words: string;
}

export function toConnectionState(status: ReceivedStatus | undefined, error: Error | null): ConnectionState {
  if (error !== null) return { state: 'no-desk', words: 'Perpdesk unreachable' };
  if (status === undefined) return { state: 'unknown', words: 'Connecting…' };
  const { circuit, last_answer_at, last_failure } = status.value.venue;
  if (circuit !== 'closed') return { state: 'unreachable', words: 'Exchange requests paused' };
  const isFailing = last_failure !== null && Date.parse(last_failure.at) > Date.parse(last_answer_at ?? '1970-01-01');
  if (isFailing) return { state: 'not-responding', words: 'Exchange error' };
  return { state: 'good', words: 'Exchange' };
}

/** What a screen reader announces when the problem shown changes; '' is no problem. */
export function toAnnouncement(before: string, problem: string): string | null {
  if (problem === before) return null;
  return problem === '' ? 'Exchange connection restored.' : problem;
}
