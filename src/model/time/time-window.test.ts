import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toInstantAt, toShare, toStep, toWindow } from './time-window.ts';

const HOUR = 3_600_000;
const whole = { from: 0, to: 10 * HOUR };

it('pages are counted back from the end of the whole, and cut to it', () => {
  expect(toWindow(whole, 10 * HOUR, 4 * HOUR)).toEqual({ from: 6 * HOUR, to: 10 * HOUR });
  expect(toWindow(whole, 3 * HOUR, 4 * HOUR)).toEqual({ from: 2 * HOUR, to: 6 * HOUR });
  expect(toWindow(whole, HOUR, 4 * HOUR)).toEqual({ from: 0, to: 2 * HOUR });
  expect(toWindow(whole, 5 * HOUR, Infinity)).toEqual(whole);
});

it('a time outside of the whole has the page that is next to it', () => {
  expect(toWindow(whole, 99 * HOUR, 4 * HOUR)).toEqual({ from: 6 * HOUR, to: 10 * HOUR });
  expect(toWindow(whole, -99 * HOUR, 4 * HOUR).from).toBe(0);
});

it('a window is never shorter than a minute, whatever the whole', () => {
  fc.assert(
    fc.property(
      fc.nat(1e9),
      fc.nat(1e9),
      fc.integer({ min: -1e9, max: 3e9 }),
      fc.constantFrom(HOUR, 24 * HOUR, Infinity),
      (from, length, at, span) => {
        const window = toWindow({ from, to: from + length }, at, span);
        expect(window.to - window.from).toBeGreaterThanOrEqual(60_000);
        if (at >= from && at <= from + length && length > 60_000)
          expect(at >= window.from && at <= window.to).toBe(true);
      },
    ),
  );
});

it('a step is a usual one, and divides a window into no more than so many', () => {
  expect(toStep({ from: 0, to: HOUR }, 120)).toBe(30_000);
  expect(toStep({ from: 0, to: 24 * HOUR }, 240)).toBe(600_000);
  expect(toStep({ from: 0, to: 1_000 * 24 * HOUR }, 100)).toBe(10 * 24 * HOUR);
});

it('an instant and its share of a window lead to each other, to the second', () => {
  const window = { from: 5_000, to: 65_000 };
  expect(toShare(35_000, window)).toBe(0.5);
  expect(toInstantAt(0.5, window)).toBe(35_000);
  expect(toInstantAt(2, window)).toBe(65_000);
  expect(toShare(-1, window)).toBe(0);
});
