import type { Answer } from './answer.ts';

export const ROWS_PER_SLICE = 250;
const [OPEN, CLOSE] = [Buffer.from('['), Buffer.from(']')];

type Portions<Portion> = Iterable<Portion> | AsyncIterable<Portion>;

/** A list as JSON, in slices, so that writing a long one never holds up other requests. */
export function toList<Row>(rows: readonly Row[], toText: (row: Row) => string): Answer {
  return toListOfPortions([rows], toText);
}

/** The same of rows that are read in portions, of which only one is in memory at a time. */
export function toListOfPortions<Row>(portions: Portions<readonly Row[]>, toText: (row: Row) => string): Answer {
  return toListOfParts(write(portions, toText));
}

/** A list whose parts are written: each row after a comma. */
export function toListOfParts(parts: Portions<Uint8Array>): Answer {
  return { slices: enclose(parts) };
}

export function toPart(texts: readonly string[]): Uint8Array {
  return Buffer.from(['', ...texts].join(','));
}

async function* write<Row>(portions: Portions<readonly Row[]>, toText: (row: Row) => string) {
  for await (const rows of portions) {
    for (let start = 0; start < rows.length; start += ROWS_PER_SLICE) {
      yield toPart(rows.slice(start, start + ROWS_PER_SLICE).map(toText));
    }
  }
}

async function* enclose(parts: Portions<Uint8Array>): AsyncIterable<Uint8Array> {
  let last: Uint8Array | null = null;
  for await (const part of parts) {
    if (last !== null) yield last;
    last = last === null ? Buffer.concat([OPEN, part.subarray(1)]) : part;
  }
  yield Buffer.concat([last ?? OPEN, CLOSE]);
}
