import type { JsonBody } from './response.ts';

export const ROWS_PER_CHUNK = 250;
const [OPEN, CLOSE] = [Buffer.from('['), Buffer.from(']')];

type Batches<Batch> = Iterable<Batch> | AsyncIterable<Batch>;

/** A list as JSON, in chunks, so that writing a long one does not block other requests. */
export function toJsonList<Row>(rows: readonly Row[], toText: (row: Row) => string): JsonBody {
  return toJsonListOfBatches([rows], toText);
}

/** The same for rows that are read in batches, one in memory at a time. */
export function toJsonListOfBatches<Row>(batches: Batches<readonly Row[]>, toText: (row: Row) => string): JsonBody {
  return toJsonListOfChunks(write(batches, toText));
}

/** A list of written chunks, in which a comma precedes each row. */
export function toJsonListOfChunks(chunks: Batches<Uint8Array>): JsonBody {
  return { chunks: enclose(chunks) };
}

export function toChunk(texts: readonly string[]): Uint8Array {
  return Buffer.from(['', ...texts].join(','));
}

async function* write<Row>(batches: Batches<readonly Row[]>, toText: (row: Row) => string) {
  for await (const rows of batches) {
    for (let start = 0; start < rows.length; start += ROWS_PER_CHUNK) {
      yield toChunk(rows.slice(start, start + ROWS_PER_CHUNK).map(toText));
    }
  }
}

async function* enclose(chunks: Batches<Uint8Array>): AsyncIterable<Uint8Array> {
  let last: Uint8Array | null = null;
  for await (const chunk of chunks) {
    if (last !== null) yield last;
    last = last === null ? Buffer.concat([OPEN, chunk.subarray(1)]) : chunk;
  }
  yield Buffer.concat([last ?? OPEN, CLOSE]);
}
