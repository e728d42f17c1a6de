import fc from 'fast-check';
import { expect, it } from 'vitest';
import { barLength, followBar, placeAt, type ScrollPlace } from './scroll.ts';

const short = { total: 280_000, inSight: 840 };
const tall = { total: 28_000_000, inSight: 840 };
const barEnd = barLength(tall) - tall.inSight;
const topEnd = tall.total - tall.inSight;

it('uses the scroll position as it is where all lines fit into an element', () => {
  expect(barLength(short)).toBe(280_000);
  expect(followBar(short, { bar: 0, top: 0 }, 1_234)).toEqual({ bar: 1_234, top: 1_234 });
});

it('limits the height of the element', () => {
  // Firefox limits elements to 17.8 million px, other browsers to more.
  expect(barLength(tall)).toBeLessThan(17_000_000);
});

it('scrolls a million lines px by px with the wheel', () => {
  const from = placeAt(tall, topEnd / 2);
  expect(followBar(tall, from, from.bar + 100).top - from.top).toBeCloseTo(100);
});

it('jumps proportionally when the bar is dragged', () => {
  expect(followBar(tall, { bar: 0, top: 0 }, barEnd / 2).top).toBeCloseTo(topEnd / 2);
});

const steps = fc.array(fc.integer({ min: -2_000, max: 2_000 }), { minLength: 1, maxLength: 300 });

it('stays within the ends, and reaches both with the bar, by any steps', () => {
  fc.assert(
    fc.property(steps, fc.double({ min: 0, max: 1, noNaN: true }), (path, start) => {
      let place: ScrollPlace = placeAt(tall, start * topEnd);
      for (const step of path) place = followBar(tall, place, Math.max(0, Math.min(barEnd, place.bar + step)));
      expect(place.top).toBeGreaterThanOrEqual(0);
      expect(place.top).toBeLessThanOrEqual(topEnd);
      while (place.bar > 0) place = followBar(tall, place, Math.max(0, place.bar - 10 * Math.max(200, place.bar / 20)));
      expect(place.top).toBeCloseTo(0);
    }),
    { numRuns: 30 },
  );
});

it('shows the first line when the bar reaches zero by a fraction of a px', () => {
  expect(followBar(tall, placeAt(tall, 0.005), 0).top).toBe(0);
});

it('reaches the last line by the wheel alone', () => {
  let place = placeAt(tall, topEnd - 50_000);
  while (place.bar < barEnd) place = followBar(tall, place, Math.min(barEnd, place.bar + 240));
  expect(place.top).toBeCloseTo(topEnd);
});

it('clamps the position when the list becomes shorter', () => {
  expect(placeAt({ total: 1_000, inSight: 840 }, 99_999)).toEqual({ bar: 160, top: 160 });
  expect(placeAt({ total: 100, inSight: 840 }, 50)).toEqual({ bar: 0, top: 0 });
});
