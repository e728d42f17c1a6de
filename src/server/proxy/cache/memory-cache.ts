import type { VenueResponse } from '#server/core/ports.ts';

export interface CachedResponse {
  readonly response: VenueResponse;
  /** Valid however old it is. */
  readonly isSettled: boolean;
  /** How large others are is for those who may see all orders. */
  readonly isPublic: boolean;
}

interface CacheSize {
  readonly responses: number;
  readonly bytes: number;
}

export interface MemoryCache {
  readonly find: (key: string) => CachedResponse | undefined;
  readonly put: (key: string, entry: CachedResponse) => void;
  readonly size: () => CacheSize & { readonly ofPublic: CacheSize };
}

/** What an entry takes beside its key and its body: many are a key and two bytes. */
const ENTRY_BYTES = 512;

/**
 * Never holds more than `maxBytes`. Two generations: when the young one fills half the budget it becomes the old one, and
 * the former old one is dropped; whatever is used again moves to the young one. Evicting entries one by one would keep
 * them from the garbage collector, as a Map that shrinks and grows for ever does.
 */
export function createMemoryCache(maxBytes: number): MemoryCache {
  let young = createGeneration();
  let old = createGeneration();
  const put: MemoryCache['put'] = (key, entry) => {
    old.drop(key);
    young.drop(key);
    const size = sizeOf(key, entry);
    if (size > maxBytes) return;
    if (young.bytes() + size > maxBytes / 2) {
      old = young;
      young = createGeneration();
    }
    if (old.bytes() + young.bytes() + size > maxBytes) old = createGeneration();
    young.put(key, entry);
  };
  return {
    find: (key) => {
      const entry = young.find(key);
      if (entry !== undefined) return entry;
      const older = old.find(key);
      if (older !== undefined) put(key, older);
      return older;
    },
    put,
    size: () => ({
      responses: young.count() + old.count(),
      bytes: young.bytes() + old.bytes(),
      ofPublic: sumOf(young.ofPublic(), old.ofPublic()),
    }),
  };
}

function createGeneration() {
  const entries = new Map<string, CachedResponse>();
  let bytes = 0;
  let ofPublic: CacheSize = { responses: 0, bytes: 0 };
  const count = (key: string, entry: CachedResponse, sign: 1 | -1): void => {
    const size = sizeOf(key, entry) * sign;
    bytes += size;
    if (entry.isPublic) ofPublic = sumOf(ofPublic, { responses: sign, bytes: size });
  };
  return {
    find: (key: string) => entries.get(key),
    put: (key: string, entry: CachedResponse): void => {
      entries.set(key, entry);
      count(key, entry, 1);
    },
    drop: (key: string): void => {
      const entry = entries.get(key);
      if (entry === undefined) return;
      entries.delete(key);
      count(key, entry, -1);
    },
    count: () => entries.size,
    bytes: () => bytes,
    ofPublic: () => ofPublic,
  };
}

function sumOf(one: CacheSize, other: CacheSize): CacheSize {
  return { responses: one.responses + other.responses, bytes: one.bytes + other.bytes };
}

function sizeOf(key: string, { response }: CachedResponse): number {
  return ENTRY_BYTES + key.length + response.body.byteLength;
}
