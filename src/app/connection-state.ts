import type { Answer } from '#api/answer.ts';
import type { DeskStatus } from '#contract/desk.ts';

export type KnownStatus = Answer<DeskStatus>;

export interface ConnectionState {
  readonly state: 'unknown' | 'good' | 'failing' | 'away' | 'no-desk';
  readonly words: string;
}

/** What the last status says, and whether there is one. */
export function toConnection(status: KnownStatus | undefined, error: Error | null): ConnectionState {
  if (error !== null) return { state: 'no-desk', words: 'The desk does not answer' };
  if (status === undefined) return { state: 'unknown', words: 'Connecting' };
  const { circuit, last_answer_at, last_failure } = status.value.venue;
  if (circuit === 'open') return { state: 'away', words: 'The venue is not reached' };
  const isFailing = last_failure !== null && Date.parse(last_failure.at) > Date.parse(last_answer_at ?? '1970-01-01');
  if (isFailing) return { state: 'failing', words: 'The venue is failing' };
  return { state: 'good', words: 'venue' };
}

/** What is said aloud as trouble becomes another: only changes, and, once none is left, that it is well again. */
export function tellChange(before: string, trouble: string): string | null {
  if (trouble === before) return null;
  return trouble === '' ? 'The venue is heard again.' : trouble;
}
