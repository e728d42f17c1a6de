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

/** What an entry takes beside its key and what was said: many are a key and two bytes. */
const ENTRY_BYTES = 512;
const REFUSAL_BYTES = 512;

/**
 * Answers in memory, never more than `mostBytes`. When those of late have filled half of it, they are those from before,
 * and those that were before them are forgotten as a whole: whatever is used again is of late again. To take out one at a
 * time would cost more, since a Map that shrinks and grows for ever keeps what it held from the garbage collector.
 */
export function createMemory(mostBytes: number): Memory {
  let late = createHalf();
  let before = createHalf();
  const remember: Memory['remember'] = (key, entry) => {
    before.drop(key);
    late.drop(key);
    const size = sizeOf(key, entry);
    if (size > mostBytes) return;
    if (late.bytes() + size > mostBytes / 2) {
      before = late;
      late = createHalf();
    }
    if (before.bytes() + late.bytes() + size > mostBytes) before = createHalf();
    late.put(key, entry);
  };
  return {
    find: (key) => {
      const entry = late.find(key);
      if (entry !== undefined) return entry;
      const older = before.find(key);
      if (older !== undefined) remember(key, older);
      return older;
    },
    remember,
    size: () => ({ answers: late.count() + before.count(), bytes: late.bytes() + before.bytes() }),
  };
}

function createHalf() {
  const entries = new Map<string, Remembered>();
  let bytes = 0;
  return {
    find: (key: string) => entries.get(key),
    put: (key: string, entry: Remembered): void => {
      entries.set(key, entry);
      bytes += sizeOf(key, entry);
    },
    drop: (key: string): void => {
      const entry = entries.get(key);
      if (entry === undefined) return;
      entries.delete(key);
      bytes -= sizeOf(key, entry);
    },
    count: () => entries.size,
    bytes: () => bytes,
  };
}

function sizeOf(key: string, entry: Remembered): number {
  return ENTRY_BYTES + key.length + ('answer' in entry ? entry.answer.body.byteLength : REFUSAL_BYTES);
}
