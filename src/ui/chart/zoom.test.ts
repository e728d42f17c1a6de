import { expect, test } from 'vitest';
import { toView, toZoom, WHOLE } from './zoom.ts';

const days = ['2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06'];

test('a zoom is named by its first and last session, and found again, also among more of them', () => {
  const zoom = toZoom({ from: 0.7, to: 3.4 }, days);
  expect(zoom).toEqual(['2026-11-03', '2026-11-05']);
  expect(toView(zoom, days)).toEqual({ from: 0.5, to: 3.5 });
  expect(toZoom({ from: 0.5, to: 3.5 }, days)).toEqual(zoom);
  expect(toView(zoom, ['2026-10-30', ...days])).toEqual({ from: 1.5, to: 4.5 });
});

test('the whole range has no name, nor has a view beyond it', () => {
  expect([toZoom({ from: -1, to: 4.5 }, days), toZoom({ from: -9, to: 12 }, days), toZoom({ from: -1, to: 0.5 }, [])]).toEqual([WHOLE, WHOLE, WHOLE]);
});

test.each([[[]], [['2026-11-03']], [['2026-12-01', '2026-12-02']], [['2026-11-05', '2026-11-03']], [['x', 'y']]])('%j shows the whole range', (zoom) => {
  expect(toView(zoom, days)).toBeNull();
});
