import type { JsonBody } from './response.ts';

export const ROWS_PER_CHUNK = 250;
const [OPEN, CLOSE] = [Buffer.from('['), Buffer.from(']')];

type Batches<Portion> = Iterable<Portion> | AsyncIterable<Portion>;

/** A list as JSON, in slices, so that writing a long one never holds up other requests. */
export function toJsonList<Row>(rows: readonly Row[], toText: (row: Row) => string): JsonBody {
  return toJsonListOfBatches([rows], toText);
}

/** The same of rows that are read in portions, of which only one is in memory at a time. */
export function toJsonListOfBatches<Row>(portions: Batches<readonly Row[]>, toText: (row: Row) => string): JsonBody {
  return toJsonListOfChunks(write(portions, toText));
}

/** A list whose parts are written: each row after a comma. */
export function toJsonListOfChunks(parts: Batches<Uint8Array>): JsonBody {
  return { slices: enclose(parts) };
}

export function toChunk(texts: readonly string[]): Uint8Array {
  return Buffer.from(['', ...texts].join(','));
}

async function* write<Row>(portions: Batches<readonly Row[]>, toText: (row: Row) => string) {
  for await (const rows of portions) {
    for (let start = 0; start < rows.length; start += ROWS_PER_CHUNK) {
      yield toChunk(rows.slice(start, start + ROWS_PER_CHUNK).map(toText));
    }
  }
}

async function* enclose(parts: Batches<Uint8Array>): AsyncIterable<Uint8Array> {
  let last: Uint8Array | null = null;
  for await (const part of parts) {
    if (last !== null) yield last;
    last = last === null ? Buffer.concat([OPEN, part.subarray(1)]) : part;
  }
  yield Buffer.concat([last ?? OPEN, CLOSE]);
}
