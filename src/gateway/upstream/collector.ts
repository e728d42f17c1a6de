import { createBody, type Body } from '../body.ts';

/** The pieces of a body as they come. */
export interface Collector {
  readonly add: (chunk: Buffer) => void;
  readonly length: () => number;
  readonly finish: () => Body;
}

/** Two in a row that are smaller are put together: a body that came byte by byte would take hundreds of times its size. */
const SMALL = 4_096;

export function createCollector(): Collector {
  const pieces: Buffer[] = [];
  let length = 0;
  return {
    add: (chunk) => {
      length += chunk.byteLength;
      const last = pieces.at(-1);
      if (last !== undefined && last.byteLength < SMALL && chunk.byteLength < SMALL) pieces[pieces.length - 1] = Buffer.concat([last, chunk]);
      else pieces.push(chunk);
    },
    length: () => length,
    finish: () => createBody(pieces),
  };
}
