import { expect, it } from 'vitest';
import type { LifeLine } from '../../orders/order-life.ts';
import { toArea, toShare, toStepPath } from './life-path.ts';

const step = (at: number, filled: number | null, requested: number | null = 10) => ({ at, filled, requested });

function toLine(spans: LifeLine['spans'], end = 100): LifeLine {
  return { start: 0, end, most: 10, spans, priceChanges: [] };
}

function draw(steps: LifeLine['spans'][number]['steps'], { end = 100, isOpen = false } = {}): string {
  const span = { steps, end, isOpen };
  return toStepPath(span, toLine([span], Math.max(end, 0)), ({ filled }) => filled);
}

it('a quantity holds until its next step', () => {
  expect(draw([step(0, 0), step(50, 5), step(100, 10)])).toBe('M0.0 100.0V100.0H500.0V50.0H1000.0V0.0H1000.0');
});

it('a withheld quantity breaks the line, and each part has its area', () => {
  const path = draw([step(0, 2), step(20, null), step(50, 4)]);
  expect(path).toBe('M0.0 80.0V80.0H200.0M500.0 60.0V60.0H1000.0');
  expect(toArea(path)).toBe('M0.0 100V80.0V80.0H200.0V100ZM500.0 100V60.0V60.0H1000.0V100Z');
  expect(toArea('')).toBe('');
});

it('an order that has just been seen fills the whole width', () => {
  expect(draw([step(0, 3)], { end: 0, isOpen: true })).toBe('M0.0 70.0V70.0H1000.0');
});

it('a time is placed within the line', () => {
  expect([-5, 25, 200].map((at) => toShare(at, { start: 0, end: 100 }))).toEqual([0, 0.25, 1]);
});
