export type Random = () => number;

/** The same numbers in [0, 1) for the same seed, on every machine (xorshift, 32 bits). */
export function createRandom(seed: number): Random {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
