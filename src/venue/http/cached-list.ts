import type { JsonBody } from './response.ts';
import { ROWS_PER_CHUNK, toJsonListOfChunks, toChunk } from './json-list.ts';

/** Parts of lists; some ten megabytes of orders. */
const MOST_KEPT = 80;

interface Part {
  readonly texts: readonly string[];
  readonly bytes: Uint8Array;
}

/** Makes lists of texts that are mostly what they were the last time: a part that did not change is not written again. */
export function createCachedListWriter(): (texts: readonly string[]) => JsonBody {
  const kept = new Map<string, Part>();

  const write = (texts: readonly string[]): Uint8Array => {
    const key = texts.at(-1) ?? '';
    const known = kept.get(key);
    const part = known && isSame(known.texts, texts) ? known : { texts, bytes: toChunk(texts) };
    kept.delete(key);
    kept.set(key, part);
    const [longestUnused = ''] = kept.keys();
    if (kept.size > MOST_KEPT) kept.delete(longestUnused);
    return part.bytes;
  };

  // Counted from the end, so that what is put in front of a list changes its first part alone.
  function* partsOf(texts: readonly string[]): Iterable<Uint8Array> {
    let end = texts.length % ROWS_PER_CHUNK || ROWS_PER_CHUNK;
    for (let start = 0; start < texts.length; start = end, end += ROWS_PER_CHUNK) yield write(texts.slice(start, end));
  }

  return (texts) => toJsonListOfChunks(partsOf(texts));
}

/** Texts that did not change are the very same ones, which takes no look into them. */
function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, i) => text === others[i]);
}
