import { expect, test } from 'vitest';
import { toView, toZoom, WHOLE } from './zoom.ts';

const days = ['2026-11-02', '2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06'];

test('a view is named by its first and last session, and found again, also among more of them', () => {
  const zoom = toZoom({ from: 1, to: 3 }, days);
  expect(zoom).toEqual(['2026-11-03', '2026-11-05']);
  expect(toView(zoom, days)).toEqual({ from: 1, to: 3 });
  expect(toView(zoom, ['2026-10-30', ...days])).toEqual({ from: 2, to: 4 });
});

test('a view that begins and ends within bars is named by those of which it shows at least half', () => {
  expect(toZoom({ from: 0.6, to: 3.4 }, days)).toEqual(['2026-11-03', '2026-11-05']);
  expect(toZoom({ from: 1.6, to: 2.4 }, days)).toEqual(['2026-11-04', '2026-11-04']);
});

test('a view that begins before the first bar is named by the date there, and found among older bars', () => {
  const dragged = toZoom({ from: -2, to: 3 }, days);
  expect(dragged).toEqual(['2026-10-31', '2026-11-05']);
  expect(toView(dragged, ['2026-10-29', '2026-10-30', '2026-10-31', '2026-11-01', ...days])).toEqual({
    from: 2,
    to: 7,
  });
  expect(toView(dragged, days)).toEqual({ from: 0, to: 3 });
  expect(toView(dragged, ['2026-10-26', '2026-11-02'])).toEqual({ from: 1, to: 1 });
});

test('an earlier address that also says how far the view extends beyond its dates shows these dates', () => {
  expect(toView(['2026-11-03', '2026-11-05', '96.69', '0.81'], days)).toEqual({ from: 1, to: 3 });
});

test('the whole range has no name, nor has a view beyond it', () => {
  expect([
    toZoom({ from: -1, to: 4.5 }, days),
    toZoom({ from: -9, to: 12 }, days),
    toZoom({ from: -1, to: 0.5 }, []),
  ]).toEqual([WHOLE, WHOLE, WHOLE]);
});

test.each([[[]], [['2026-11-03']], [['2026-12-01', '2026-12-02']], [['2026-11-05', '2026-11-03']], [['x', 'y']]])(
  '%j shows the whole range',
  (zoom) => {
    expect(toView(zoom, days)).toBeNull();
  },
);
