import { hashText, mix } from '../random.ts';

/** A wandering value, a function of time alone: any instant can be asked for, in any order, with the same answer. */
export type Noise = (seconds: number) => number;

export interface NoiseShape {
  /** Longest and shortest wave, in seconds. */
  readonly longest: number;
  readonly shortest: number;
  /** Deviation of the change over a second, if it were a random walk. */
  readonly perRootSecond: number;
}

/** Makes the sum of the octaves change by `perRootSecond` x sqrt(time), as a random walk does. */
const WALK_SCALE = 0.46;

/** A random walk that needs no steps: waves of halving length, whose nodes are drawn from a hash of their place. */
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

/** Deviation 1. Two uniform halves make a triangle; the octaves' sum is as good as normal. */
function deviate(salt: number, at: number): number {
  const bits = mix(mix(at ^ salt) + salt);
  return ((bits & 0xffff) + (bits >>> 16) - 0xffff) * (Math.sqrt(6) / 0xffff);
}
