import type { JsonBody } from './response.ts';
import { ROWS_PER_CHUNK, toJsonListOfChunks, toChunk } from './json-list.ts';

/** Chunks in the cache: about ten megabytes of orders. */
const LARGEST_CACHE = 80;

interface Chunk {
  readonly texts: readonly string[];
  readonly bytes: Uint8Array;
}

/** Makes JSON lists of texts that rarely change: an unchanged chunk is not written again. */
export function createCachedListWriter(): (texts: readonly string[]) => JsonBody {
  const cache = new Map<string, Chunk>();

  const write = (texts: readonly string[]): Uint8Array => {
    const key = texts.at(-1) ?? '';
    const known = cache.get(key);
    const chunk = known && isSame(known.texts, texts) ? known : { texts, bytes: toChunk(texts) };
    cache.delete(key);
    cache.set(key, chunk);
    const [leastRecentlyUsed = ''] = cache.keys();
    if (cache.size > LARGEST_CACHE) cache.delete(leastRecentlyUsed);
    return chunk.bytes;
  };

  // Counted from the end, so that a text put in front changes the first chunk only.
  function* chunksOf(texts: readonly string[]): Iterable<Uint8Array> {
    let end = texts.length % ROWS_PER_CHUNK || ROWS_PER_CHUNK;
    for (let start = 0; start < texts.length; start = end, end += ROWS_PER_CHUNK) yield write(texts.slice(start, end));
  }

  return (texts) => toJsonListOfChunks(chunksOf(texts));
}

/** Unchanged texts are the same objects, so comparing them is fast. */
function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, i) => text === others[i]);
}
