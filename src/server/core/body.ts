/**
 * The bytes of a response in the pieces in which they arrived: joining a large body would take nearly as long as
 * sending it.
 */
export interface Body {
  readonly pieces: readonly Buffer[];
  readonly byteLength: number;
  readonly whole: () => Buffer;
  /** Compares the bytes, regardless of the pieces. */
  readonly equals: (other: Body) => boolean;
  /** As UTF-8. */
  readonly toString: () => string;
}

export function createBody(pieces: readonly Buffer[]): Body {
  const byteLength = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  const [first] = pieces;
  const whole = (): Buffer => (pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces, byteLength));
  return {
    pieces,
    byteLength,
    whole,
    equals: (other) => byteLength === other.byteLength && haveSameBytes(pieces, other.pieces),
    toString: () => whole().toString(),
  };
}

/** Compares lists of equal total length, piece by piece up to the nearer of the two ends. */
function haveSameBytes(some: readonly Buffer[], others: readonly Buffer[]): boolean {
  const left = { list: some, index: 0, from: 0 };
  const right = { list: others, index: 0, from: 0 };
  for (;;) {
    const one = restOf(left);
    const other = restOf(right);
    if (one === undefined || other === undefined) return true;
    const length = Math.min(one.byteLength, other.byteLength);
    if (one.compare(other, 0, length, 0, length) !== 0) return false;
    left.from += length;
    right.from += length;
  }
}

/** Returns the rest of the current piece, or the next piece; undefined after the last. */
function restOf(place: { readonly list: readonly Buffer[]; index: number; from: number }): Buffer | undefined {
  for (let piece = place.list[place.index]; piece !== undefined; piece = place.list[(place.index += 1)]) {
    if (place.from < piece.byteLength) return piece.subarray(place.from);
    place.from = 0;
  }
  return undefined;
}
