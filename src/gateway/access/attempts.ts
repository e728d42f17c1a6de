import { setBounded } from '../bounded-map.ts';
import { newId } from './secrets.ts';

/** What was begun and is finished by a later request: each once, within five minutes. */
export interface Attempts<Begun> {
  /** Returns the id of the attempt. */
  readonly begin: (begun: Begun) => string;
  /** Null: it is unknown, finished or over. */
  readonly finish: (id: string) => Begun | null;
}

export const ATTEMPT_MS = 5 * 60_000;
const MOST_AT_ONCE = 1_000;

export function createAttempts<Begun>(now: () => number): Attempts<Begun> {
  const begun = new Map<string, { readonly value: Begun; readonly until: number }>();
  return {
    begin: (value) => {
      const id = newId();
      setBounded(begun, id, { value, until: now() + ATTEMPT_MS }, MOST_AT_ONCE);
      return id;
    },
    finish: (id) => {
      const found = begun.get(id);
      begun.delete(id);
      return found === undefined || now() >= found.until ? null : found.value;
    },
  };
}
