import { hashText, mix } from '../../core/random.ts';

/** A random walk as a pure function of time: instants can be evaluated in any order. */
export type Noise = (seconds: number) => number;

export interface NoiseShape {
  /** Longest and shortest period, in seconds. */
  readonly longest: number;
  readonly shortest: number;
  /** Standard deviation of the change over one second. */
  readonly perRootSecond: number;
}

/** Makes the sum of the octaves change by `perRootSecond` x sqrt(time), as a random walk does. */
const WALK_SCALE = 0.46;

/** A sum of octaves with halving periods, whose nodes are random by a hash of their position. */
export function createNoise(seed: number, name: string, { longest, shortest, perRootSecond }: NoiseShape): Noise {
  const octaves: Noise[] = [];
  for (let period = longest; period >= shortest; period /= 2) {
    octaves.push(
      createOctave(mix(seed) ^ hashText(`${name}/${period}`), period, WALK_SCALE * perRootSecond * Math.sqrt(period)),
    );
  }
  return (seconds) => {
    let sum = 0;
    for (const octave of octaves) sum += octave(seconds);
    return sum;
  };
}

function createOctave(salt: number, period: number, amplitude: number): Noise {
  let cell = Number.NaN;
  let left = 0;
  let right = 0;
  return (seconds) => {
    const place = seconds / period;
    const at = Math.floor(place);
    if (at !== cell) {
      left = amplitude * deviate(salt, at);
      right = amplitude * deviate(salt, at + 1);
      cell = at;
    }
    return left + (right - left) * (place - at);
  };
}

/** Standard deviation 1. Triangular, as the sum of two uniform numbers; the sum of the octaves is nearly normal. */
function deviate(salt: number, at: number): number {
  const bits = mix(mix(at ^ salt) + salt);
  return ((bits & 0xffff) + (bits >>> 16) - 0xffff) * (Math.sqrt(6) / 0xffff);
}
