/** The pieces of a body, put together as they come: no more is held than the body itself, where its length is known. */
export interface Collector {
  readonly add: (chunk: Buffer) => void;
  readonly length: () => number;
  readonly finish: () => Buffer;
}

export function createCollector(expected: number | null): Collector {
  return expected === null ? collectPieces() : collectExpected(expected);
}

function collectPieces(): Collector {
  const pieces: Buffer[] = [];
  let length = 0;
  return {
    add: (chunk) => {
      pieces.push(chunk);
      length += chunk.byteLength;
    },
    length: () => length,
    finish: () => Buffer.concat(pieces, length),
  };
}

function collectExpected(expected: number): Collector {
  let whole: Buffer | null = null;
  let length = 0;
  return {
    add: (chunk) => {
      // A page comes in one piece, which is then the whole.
      if (whole === null && chunk.byteLength === expected) whole = chunk;
      else chunk.copy((whole ??= Buffer.allocUnsafeSlow(expected)), length);
      length += chunk.byteLength;
    },
    length: () => length,
    finish: () => whole?.subarray(0, length) ?? Buffer.alloc(0),
  };
}
