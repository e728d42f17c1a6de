/** A deterministic stream of random numbers. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  readonly next: () => number;
  /** Mean 0, standard deviation 1. */
  readonly normal: () => number;
  /** An integer from `low` to `high`, both inclusive. */
  readonly between: (low: number, high: number) => number;
  /** Exponentially distributed. */
  readonly wait: (mean: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(list: readonly [T, ...T[]]) => T;
}

/** Hashes an integer. */
export function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  return mix(h);
}

/** One stream per name, so that parts of the simulation do not affect one another. */
export function createRandom(seed: number, name: string): Random {
  let state = mix(seed) ^ hashText(name);
  let weyl = hashText(`${name}/${seed}`) | 1;
  const bits = (): number => {
    weyl = (weyl + 0x9e3779b9) | 0;
    state = mix(state ^ weyl);
    return state;
  };
  const next = (): number => bits() / 2 ** 32;
  return {
    next,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    wait: (mean) => -mean * Math.log(1 - next()),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)] ?? list[0],
  };
}
