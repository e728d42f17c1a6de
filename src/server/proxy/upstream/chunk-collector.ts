import { createBody, type Body } from '#server/core/body.ts';

/** Collects the pieces of a body as they arrive. */
export interface ChunkCollector {
  readonly add: (chunk: Buffer) => void;
  readonly length: () => number;
  readonly finish: () => Body;
}

/** Two consecutive smaller pieces are joined: a body that arrives byte by byte would otherwise take hundreds of times its size. */
const SMALL = 4_096;

export function createChunkCollector(): ChunkCollector {
  const pieces: Buffer[] = [];
  let length = 0;
  return {
    add: (chunk) => {
      length += chunk.byteLength;
      const last = pieces.at(-1);
      if (last !== undefined && last.byteLength < SMALL && chunk.byteLength < SMALL)
        pieces[pieces.length - 1] = Buffer.concat([last, chunk]);
      else pieces.push(chunk);
    },
    length: () => length,
    finish: () => createBody(pieces),
  };
}
