import { describe, expect, it } from 'vitest';
import { createNoise } from '../simulation/prices.ts';
import { createRandom } from './random.ts';

const draw = (seed: number, name: string, count: number): number[] => {
  const random = createRandom(seed, name);
  return Array.from({ length: count }, () => random.next());
};
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - middle) ** 2)));
}

describe('createRandom', () => {
  it('gives the same stream for the same seed and name', () => {
    expect(draw(7, 'takers', 50)).toEqual(draw(7, 'takers', 50));
  });

  it('gives another stream for another seed or another name', () => {
    const stream = draw(7, 'takers', 50);
    expect(draw(8, 'takers', 50)).not.toEqual(stream);
    expect(draw(7, 'makers', 50)).not.toEqual(stream);
  });

  it('fills the unit interval evenly', () => {
    const values = draw(1, 'even', 20_000);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
    for (let tenth = 0; tenth < 10; tenth++) {
      const share = values.filter((value) => Math.floor(value * 10) === tenth).length / values.length;
      expect(share).toBeCloseTo(0.1, 1);
    }
  });

  it('draws normal numbers of mean 0 and standard deviation 1', () => {
    const random = createRandom(3, 'normal');
    const values = Array.from({ length: 20_000 }, () => random.normal());
    expect(mean(values)).toBeCloseTo(0, 1);
    expect(deviation(values)).toBeCloseTo(1, 1);
  });

  it('draws integers within both bounds, and reaches them', () => {
    const random = createRandom(4, 'dice');
    const seen = new Set(Array.from({ length: 500 }, () => random.between(1, 6)));
    expect([...seen].sort()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('has the given mean waiting time', () => {
    const random = createRandom(5, 'wait');
    const waits = Array.from({ length: 20_000 }, () => random.wait(60));
    expect(mean(waits)).toBeGreaterThan(58);
    expect(mean(waits)).toBeLessThan(62);
  });
});

describe('createNoise', () => {
  const shape = { longest: 4096, shortest: 1, perRootSecond: 1 };

  it('has the same value at an instant, in whatever order instants are evaluated', () => {
    const forwards = createNoise(7, 'walk', shape);
    const backwards = createNoise(7, 'walk', shape);
    const instants = Array.from({ length: 200 }, (_, at) => at * 3.7);
    const there = instants.map((instant) => forwards(instant));
    const back = instants.toReversed().map((instant) => backwards(instant));
    expect(back.toReversed()).toEqual(there);
  });

  it('changes like a random walk: twice the change in four times the time', () => {
    const noise = createNoise(7, 'walk', shape);
    const change = (step: number): number =>
      deviation(Array.from({ length: 4_000 }, (_, at) => noise(1e6 + (at + 1) * step) - noise(1e6 + at * step)));
    expect(change(64) / change(16)).toBeGreaterThan(1.7);
    expect(change(64) / change(16)).toBeLessThan(2.3);
    expect(change(16)).toBeGreaterThan(3);
    expect(change(16)).toBeLessThan(5.5);
  });
});
