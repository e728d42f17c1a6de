import { expect, test } from 'vitest';
import { toView, toZoom, WHOLE } from './zoom.ts';

const days = ['2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06'];

test('a zoom is named by its first and last session, and found again, also among more of them', () => {
  const zoom = toZoom({ from: 0.5, to: 3.5 }, days);
  expect(zoom).toEqual(['2026-11-03', '2026-11-05']);
  expect(toView(zoom, days)).toEqual({ from: 0.5, to: 3.5 });
  expect(toView(zoom, ['2026-10-30', ...days])).toEqual({ from: 1.5, to: 4.5 });
});

test('a view that begins within a bar or before the first one is found again to a hundredth of a bar', () => {
  const zoom = toZoom({ from: 0.7, to: 3.404 }, days);
  expect(zoom).toEqual(['2026-11-03', '2026-11-05', '0.3', '0.4']);
  expect(toView(zoom, days)).toEqual({ from: 0.7, to: 3.4 });
  const dragged = toZoom({ from: -2.5, to: 3 }, days);
  expect(dragged).toEqual(['2026-11-02', '2026-11-05', '2.5', '0']);
  expect(toView(dragged, ['2026-10-29', '2026-10-30', ...days])).toEqual({ from: -0.5, to: 5 });
});

test.each(['x,1', '1', '1e999,0'])('the edges %j are those of whole bars', (edges) => {
  expect(toView(['2026-11-03', '2026-11-05', ...edges.split(',')], days)).toEqual({ from: 0.5, to: 3.5 });
});

test('the whole range has no name, nor has a view beyond it', () => {
  expect([
    toZoom({ from: -1, to: 4.5 }, days),
    toZoom({ from: -9, to: 12 }, days),
    toZoom({ from: -1, to: 0.5 }, []),
  ]).toEqual([WHOLE, WHOLE, WHOLE]);
});

test.each([
  [[]],
  [['2026-11-03']],
  [['2026-12-01', '2026-12-02']],
  [['2026-11-05', '2026-11-03']],
  [['x', 'y']],
  [['2026-11-03', '2026-11-05', '-9', '1']],
])('%j shows the whole range', (zoom) => {
  expect(toView(zoom, days)).toBeNull();
});
