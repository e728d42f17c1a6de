import type { Problem, VenueAnswer } from '../ports.ts';

/** What the venue said: an answer, or a refusal that it would give again. */
export type Remembered =
  | { readonly answer: VenueAnswer; readonly isSettled: boolean }
  | { readonly refusal: Problem; readonly answeredAt: number };

export interface Memory {
  readonly find: (key: string) => Remembered | undefined;
  readonly remember: (key: string, remembered: Remembered) => void;
  readonly size: () => { readonly answers: number; readonly bytes: number };
}

const REFUSAL_BYTES = 1_024;

/** Answers in memory, the least recently used forgotten first when they are more than `mostBytes`. */
export function createMemory(mostBytes: number): Memory {
  const entries = new Map<string, Remembered>();
  let bytes = 0;
  const forget = (key: string): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    bytes -= sizeOf(entry);
    entries.delete(key);
  };
  return {
    find: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      // A Map keeps the order of insertion: what is used again goes to its end.
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },
    remember: (key, entry) => {
      forget(key);
      entries.set(key, entry);
      bytes += sizeOf(entry);
      for (const oldest of entries.keys()) {
        if (bytes <= mostBytes) break;
        forget(oldest);
      }
    },
    size: () => ({ answers: entries.size, bytes }),
  };
}

function sizeOf(entry: Remembered): number {
  return 'answer' in entry ? entry.answer.body.byteLength : REFUSAL_BYTES;
}
